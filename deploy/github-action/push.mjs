// Creates a push from the inputs of the action, and sets its outputs.
import { openAsBlob } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { env } = process;
const library = join(env.RUNNER_TEMP, 'hushpush/package/dist/src/client/client.js');
const { createClient, exchangeToken, githubIdentity } = await import(pathToFileURL(library));

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

/** The token of the inputs, or one for what GitHub says of this job, so that no secret is stored. */
async function token() {
  if (env.TOKEN || !env.RULE) return env.TOKEN;
  const { ACTIONS_ID_TOKEN_REQUEST_URL: requestUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken } = env;
  if (!requestUrl || !requestToken)
    throw new Error('The job needs `permissions: id-token: write` to use a rule.');
  const identityToken = await githubIdentity({ requestUrl, requestToken, rule: env.RULE });
  return (await exchangeToken({ server: env.SERVER, identityToken, userAgent: 'hushpush-action' })).token;
}

try {
  const client = createClient({ server: env.SERVER, token: await token(), userAgent: 'hushpush-action' });
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
