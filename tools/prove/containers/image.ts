import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { untilLater } from '../../../test/harness/until.ts';
import type { Experiment, Outcome } from '../experiment.ts';
import {
  type Answer,
  becomesHealthy,
  createChecks,
  docker,
  imageName,
  mainInImage,
  nodeInImage,
  readmeBlocks,
  requestCommand,
  shell,
  skipped,
  whyNoDocker,
} from './docker.ts';

const sizeMaxBytes = 200_000_000;

/** Builds the image and runs it without a right that it does not need. Needs docker. */
export const image: Experiment = {
  claim: 'The container image is built twice alike, serves without root, changes its key, and is restored.',
  async run() {
    const reason = await whyNoDocker();
    return reason === undefined ? prove() : skipped(reason);
  },
};

/** The blocks of deploy/README.md, for a container and a volume of their own without any network but its own loopback. */
async function ownBlocks(name: string) {
  const blocks = (await readmeBlocks('Container')).map((block) =>
    block
      .replaceAll(/(--name|exec|stop|start|--volumes-from) hushpush\b/g, `$1 ${name}`)
      .replaceAll('-v hushpush:', `-v ${name}:`)
      .replaceAll('cp hushpush:', `cp ${name}:`)
      .replace('hushpush.tar .', 'hushpush.tar - > /dev/null')
      .replace('docker build', 'docker build --quiet --network host')
      .replace(/-p \S+/, '--network none'),
  );
  const [run, operate, restore] = blocks;
  if (run === undefined || operate === undefined || restore === undefined || blocks.length > 3)
    throw new Error('deploy/README.md has other blocks under “Container”');
  return { run, operate, restore };
}

async function prove(): Promise<Outcome> {
  const checks = createChecks();
  const name = `hushpush-${randomUUID()}`;
  const blocks = await ownBlocks(name);
  try {
    await shell(blocks.run);
    const startedAt = performance.now();
    await becomesHealthy(name);
    const healthyAfterMs = performance.now() - startedAt;
    await proveContainer(name, blocks, checks);
    return {
      figures: {
        ...(await figuresOf(checks)),
        'seconds until healthy': Math.round(healthyAfterMs / 100) / 10,
        ...(await compareBuilds(checks)),
      },
      failures: checks.failures,
    };
  } finally {
    await docker(['rm', '--force', name]).catch(() => {});
    await docker(['volume', 'rm', name]).catch(() => {});
    await docker(['image', 'rm', name]).catch(() => {});
  }
}

type Checks = ReturnType<typeof createChecks>;

async function figuresOf({ that }: Checks) {
  const inspect = (format: string) => docker(['image', 'inspect', '--format', format, imageName]);
  const size = Number(await inspect('{{.Size}}'));
  that(size <= sizeMaxBytes, `the image has ${size} bytes`);
  const history = await docker(['history', '--format', '{{.Size}} {{.CreatedBy}}', imageName]);
  const layers = history.split('\n').filter((line) => !line.startsWith('0B'));
  const sizes = layers.map((line) => line.replace(/^(\S+) .*?(?:COPY|WORKDIR) (\S+).*$/, '$1 $2'));
  return {
    megabytes: Math.round(size / 1e6),
    layers: await inspect('{{len .RootFS.Layers}}'),
    'their sizes': sizes.map((line) => line.slice(0, 60)).join(', '),
  };
}

/** All that deploy/README.md says that a container does. */
async function proveContainer(
  name: string,
  { operate, restore }: { operate: string; restore: string },
  { that }: Checks,
): Promise<void> {
  const node = (args: string[]) => docker(['exec', name, nodeInImage, ...args]);
  const admin = async (...words: string[]) =>
    JSON.parse(await node([mainInImage, 'admin', ...words, '--json']));
  const request = async (path: string, more: object = {}): Promise<Answer> =>
    JSON.parse(await node(requestCommand({ url: `http://127.0.0.1:5100${path}`, ...more })));

  that((await node(['-p', 'process.getuid()'])) === '65532', 'it does not run as its user');
  const { token } = await admin('account', 'create', 'ann@example.com');
  const headers = { authorization: `Bearer ${token}` };
  const push = async () => {
    const body = { password: { payload: 'tulip', expire_after_views: 5 } };
    const { status, body: created } = await request('/p.json', { method: 'POST', headers, body });
    that(status === 201, `a push was answered with ${status}`);
    return async () => (await request(`/p/${created.url_token}.json`)).body.payload;
  };
  const readOld = await push();
  that((await readOld()) === 'tulip', 'a push was not read');

  await shell(operate); // doctor, a new key, a backup
  await shell(restore);
  await becomesHealthy(name);
  that(
    (await readOld()) === null,
    'the restored service gives out what may have been viewed since the backup',
  );
  that((await request('/p/expired.json', { headers })).status === 200, 'a restored account has no token');

  const readNew = await push();
  const states = async () =>
    new Map((await admin('keys', 'list')).map(({ key_id, state }: Key) => [key_id, state]));
  await untilLater(async () => (await states()).get(2) === 'active');
  await admin('keys', 'reseal');
  const isRemoved = () =>
    admin('keys', 'remove', '1').then(
      () => true,
      () => false,
    );
  await untilLater(isRemoved); // it refuses for a minute
  that((await readNew()) === 'tulip', 'a push was lost with its old key');

  const startedAt = performance.now();
  await docker(['stop', name]);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const exit = await docker(['inspect', '--format', '{{.State.ExitCode}}', name]);
  that(exit === '0' && seconds < 10, `it stopped with ${exit} after ${seconds} seconds`);
  await docker(['start', name]);
  await becomesHealthy(name);
  that((await readNew()) === 'tulip', 'a push was lost with its process');
}

type Key = { key_id: number; state: string };

/** Builds the image once more from nothing, and compares the files of both. */
async function compareBuilds({ that }: Checks) {
  const again = `hushpush-${randomUUID()}`;
  const startedAt = performance.now();
  await docker([
    'build',
    '--quiet',
    '--no-cache',
    '--network',
    'host',
    '--file',
    'deploy/Dockerfile',
    '--tag',
    again,
    '.',
  ]);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  try {
    const [one, other] = [await contentOf(imageName), await contentOf(again)];
    const names = [...new Set([...one.keys(), ...other.keys()])];
    const different = names.filter((name) => one.get(name) !== other.get(name));
    that(
      different.length === 0,
      `two builds differ in ${different.length} files:\n${different.slice(0, 20).join('\n')}`,
    );
    return { 'seconds to build': seconds, 'files alike in two builds': names.length - different.length };
  } finally {
    await docker(['image', 'rm', again]);
  }
}

/** Every file of an image, with its rights, its owner and its content. Times are left out. */
async function contentOf(tag: string): Promise<Map<string, string>> {
  const id = await docker(['create', tag]);
  try {
    const exported = spawn('docker', ['export', id], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(exported, 'exit');
    const content = new Map<string, string>();
    const entries = Readable.toWeb(exported.stdout).pipeThrough(createTarDecoder() as never);
    for await (const { header, body } of entries as unknown as AsyncIterable<ParsedTarEntry>) {
      const hash = createHash('sha256');
      for await (const chunk of body) hash.update(chunk);
      const { name, mode, uid, gid, linkname = '' } = header;
      content.set(name, [mode, uid, gid, linkname, hash.digest('hex')].join(' '));
    }
    await ended;
    return content;
  } finally {
    await docker(['rm', id]);
  }
}
