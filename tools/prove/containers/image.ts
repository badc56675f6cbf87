import { randomUUID } from 'node:crypto';
import type { Experiment, Outcome } from '../experiment.ts';
import {
  type Answer,
  becomesHealthy,
  buildImage,
  createChecks,
  docker,
  imageName,
  mainInImage,
  nodeInImage,
  requestCommand,
  skipped,
  whyNoDocker,
} from './docker.ts';

const sizeMaxBytes = 200_000_000;

/** As deploy/README.md runs it, with less memory and without any network but its own loopback. */
const rights = [
  '--read-only',
  '--tmpfs',
  '/tmp',
  '--cap-drop',
  'ALL',
  '--network',
  'none',
  '--memory',
  '256m',
];

/** Builds the image and runs it without a right that it does not need. Needs docker. */
export const image: Experiment = {
  claim: 'The container image is built, serves without root, and keeps its data.',
  async run() {
    const reason = await whyNoDocker();
    return reason === undefined ? prove() : skipped(reason);
  },
};

async function prove(): Promise<Outcome> {
  const checks = createChecks();
  const name = `hushpush-${randomUUID()}`;
  const seconds = await buildImage();
  const inspect = (format: string) => docker(['image', 'inspect', '--format', format, imageName]);
  const size = Number(await inspect('{{.Size}}'));
  checks.that(size <= sizeMaxBytes, `the image has ${size} bytes`);
  const start = () =>
    docker(['run', '--detach', '--name', name, '--volume', `${name}:/data`, ...rights, imageName]);
  const node = (args: string[]) => docker(['exec', name, nodeInImage, ...args]);
  const request = async (path: string, more: object = {}): Promise<Answer> =>
    JSON.parse(await node(requestCommand({ url: `http://127.0.0.1:5100${path}`, ...more })));
  try {
    await start();
    const startedAt = performance.now();
    await becomesHealthy(name);
    const healthyAfterMs = performance.now() - startedAt;
    const body = { password: { payload: 'tulip', expire_after_views: 2 } };
    const { status, body: push } = await request('/p.json', { method: 'POST', body });
    checks.that(status === 201, `a push was answered with ${status}`);
    const read = async () => (await request(`/p/${push.url_token}.json`)).body.payload;
    checks.that((await read()) === 'tulip', 'a push was not read');
    checks.that((await node(['-p', 'process.getuid()'])) === '65532', 'it does not run as its user');
    const doctor = await node([mainInImage, 'doctor']).catch(({ stdout }) => String(stdout));
    const problems = doctor.split('\n').filter((line) => line.startsWith('FAILURE'));
    checks.that(problems.length === 0, `doctor says:\n${problems.join('\n')}`);
    await docker(['stop', name]);
    const exit = await docker(['inspect', '--format', '{{.State.ExitCode}}', name]);
    checks.that(exit === '0', `it stopped with ${exit}`);
    await docker(['rm', name]);
    await start(); // a new container on the old data
    await becomesHealthy(name);
    checks.that((await read()) === 'tulip', 'a push was lost with its container');
    return {
      figures: {
        'seconds to build': seconds,
        megabytes: Math.round(size / 1e6),
        layers: await inspect('{{len .RootFS.Layers}}'),
        'seconds until healthy': Math.round(healthyAfterMs / 100) / 10,
      },
      failures: checks.failures,
    };
  } finally {
    await docker(['rm', '--force', name]).catch(() => {});
    await docker(['volume', 'rm', name]).catch(() => {});
  }
}
