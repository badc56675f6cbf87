// Creates a push from the inputs of the action, and sets its outputs.
import { openAsBlob } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { env } = process;
const library = join(env.RUNNER_TEMP, 'hushpush/package/dist/src/client/client.js');
const { createClient } = await import(pathToFileURL(library));

/** What the inputs set; the server has defaults for the rest. */
function settings() {
  const values = {
    payload: env.SECRET,
    kind: env.KIND,
    passphrase: env.PASSPHRASE,
    name: env.NAME,
    expire_after_views: env.VIEWS,
    expire_after_days: env.DAYS,
    expire_after_hours: env.HOURS,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}

async function files() {
  const paths = (env.FILES ?? '').split('\n').map((path) => path.trim());
  return Promise.all(
    paths
      .filter((path) => path !== '')
      .map(async (path) => ({ filename: basename(path), content: await openAsBlob(path) })),
  );
}

try {
  const client = createClient({ server: env.SERVER, token: env.TOKEN, userAgent: 'hushpush-action' });
  const { html_url, expires_at } = await client.create({ ...settings(), files: await files() });
  const lines = [html_url, expires_at].map((value) => String(value).replace(/[\r\n]/g, ''));
  process.stdout.write(`::add-mask::${lines[0]}\n`);
  await appendFile(env.GITHUB_OUTPUT, `link=${lines[0]}\nexpires_at=${lines[1]}\n`);
} catch (error) {
  const text = [error.message, error.advice].filter(Boolean).join(' ');
  const escaped = text.replace(/%/g, '%25').replace(/[\r\n]+/g, ' ');
  process.stdout.write(`::error title=Nothing was pushed::${escaped}\n`);
  process.exitCode = 1;
}
