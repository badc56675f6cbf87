import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until, untilLater } from '../../../test/harness/until.ts';
import type { Experiment, Outcome } from '../experiment.ts';
import {
  type Answer,
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
import { startTraffic } from './traffic.ts';

/** Caddy makes a certificate for it by itself, without the internet. */
const domain = 'push.localhost';
const caddyAddress = '172.30.51.2';
const warmUpRequests = 20;
/** How long nothing may fail until a part counts as back. */
const settledMs = 5_000;
const forged = { 'x-forwarded-for': '203.0.113.66' };
const certificate = '/data/caddy/pki/authorities/local/root.crt';

/**
 * Starts both Compose files and clients that push and read, replaces the image beneath the data, and kills each part.
 * Needs docker with Compose, and the images that the files name. Builds hushpush unless it is there;
 * `npm run prove -- image` builds it anew.
 */
export const compose: Experiment = {
  claim:
    'Both Compose files come up and serve, lose no request of a client that repeats it in an upgrade, and no push in a crash.',
  async run() {
    const reason = await whyNoDocker();
    if (reason !== undefined) return skipped(reason);
    const folder = await mkdtemp(join(tmpdir(), 'compose-'));
    await cp(join(import.meta.dirname, '../../../deploy/compose'), folder, {
      recursive: true,
      filter: (path) => !path.endsWith('/secrets'),
    });
    await docker(['image', 'inspect', imageName]).catch(() => buildImage());
    const sqlite = await withProject(folder, 'sqlite.yaml', proveSqlite);
    const mysql = await withProject(folder, 'mysql.yaml', proveMysql);
    return {
      figures: { ...sqlite.figures, ...mysql.figures },
      failures: [...sqlite.failures, ...mysql.failures],
    };
  },
};

type Project = Awaited<ReturnType<typeof openProject>>;

/** Brings a file up as a project of its own that takes no port of this machine. Removes it afterwards. */
async function withProject(folder: string, file: string, prove: (project: Project) => Promise<Outcome>) {
  const project = await openProject(folder, file);
  try {
    return await prove(project);
  } finally {
    await project.compose('down', '--volumes', '--timeout', '10').catch(() => {});
    await docker(['image', 'rm', project.image]).catch(() => {});
  }
}

async function openProject(folder: string, file: string) {
  const name = `hushpush-${randomUUID()}`;
  const image = `${name}:next`;
  const override = join(folder, `own-${file}`);
  const hasCaddy = file === 'mysql.yaml';
  const unlimited = 'environment: { RATE_LIMITS: "off" }';
  const services = hasCaddy
    ? `hushpush: { ${unlimited} }, caddy: { ports: !reset [] }`
    : `hushpush: { ${unlimited}, ports: !reset [] }`;
  await writeFile(override, `services: { ${services} }\n`);
  if (hasCaddy) execFileSync('/bin/sh', [join(folder, 'secrets.sh')], { stdio: 'ignore' });
  const files = ['--file', file, '--file', override];
  const compose = (...words: string[]) =>
    docker(['compose', '--project-name', name, ...files, ...words], { cwd: folder, env: { DOMAIN: domain } });
  const up = () => compose('up', '--detach', '--no-build', '--wait', '--wait-timeout', '300');
  return {
    name,
    image,
    folder,
    compose,
    up,
    exec: (service: string, ...command: string[]) => compose('exec', '--no-TTY', service, ...command),
    /** Puts another image in place of the one that runs, with all else as it was. */
    async replaceImage() {
      const id = await docker(['create', imageName]);
      await docker(['commit', '--change', 'LABEL next=yes', id, image]);
      await docker(['rm', id]);
      const next = join(folder, `next-${file}`);
      await writeFile(next, `services: { hushpush: { image: "${image}" } }\n`);
      files.push('--file', next);
      await up();
    },
  };
}

async function proveSqlite(project: Project): Promise<Outcome> {
  const checks = createChecks();
  const seconds = await secondsOf(project.up);
  const network = ['--network', `${project.name}_default`];
  const traffic = await startTraffic(`${project.name}-traffic`, 'http://hushpush:5100', network);
  try {
    const upgrade = await proveUpgrade('sqlite.yaml', project, traffic, checks);
    const kills = await proveKills(project, traffic, ['hushpush']);
    const { kept } = await proveNothingLost('sqlite.yaml', traffic, checks);
    return {
      figures: prefixed('sqlite.yaml', {
        'seconds until it is up': seconds,
        ...upgrade,
        ...kills,
        kept,
      }),
      failures: checks.failures,
    };
  } finally {
    await traffic.remove();
  }
}

async function proveMysql(project: Project): Promise<Outcome> {
  const checks = createChecks();
  const seconds = await secondsOf(project.up);
  await project.compose('cp', `caddy:${certificate}`, join(project.folder, 'root.crt'));
  await chmod(join(project.folder, 'root.crt'), 0o644);
  const container = [
    ...['--network', `${project.name}_front`, '--add-host', `${domain}:${caddyAddress}`],
    ...['--volume', `${project.folder}/root.crt:/root.crt:ro`, '--env', 'NODE_EXTRA_CA_CERTS=/root.crt'],
  ];
  const request = async (path: string, more: object = {}): Promise<Answer> => {
    const command = requestCommand({ url: `https://${domain}${path}`, ...more });
    const words = ['run', '--rm', ...container, '--entrypoint', nodeInImage, imageName, ...command];
    return JSON.parse(await docker(words));
  };
  const addresses = await proveAddresses(project, request, checks);
  const traffic = await startTraffic(`${project.name}-traffic`, `https://${domain}`, container);
  try {
    const upgrade = await proveUpgrade('mysql.yaml', project, traffic, checks);
    const kills = await proveKills(project, traffic, ['hushpush', 'database', 'caddy']);
    const { kept } = await proveNothingLost('mysql.yaml', traffic, checks);
    return {
      figures: prefixed('mysql.yaml', {
        'seconds until it is up': seconds,
        'addresses of clients in the log': addresses.join(', '),
        ...upgrade,
        ...kills,
        kept,
        database: await project.exec('database', 'mysqld', '--version'),
        proxy: await project.exec('caddy', 'caddy', 'version'),
      }),
      failures: checks.failures,
    };
  } finally {
    await traffic.remove();
  }
}

type Checks = ReturnType<typeof createChecks>;
type Traffic = Awaited<ReturnType<typeof startTraffic>>;

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round((performance.now() - startedAt) / 1_000);
}

const prefixed = (file: string, figures: Outcome['figures']) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${file}: ${name}`, value]));

/** Behind Caddy, the log has the addresses of clients whatever these say, and the metrics stay inside. */
async function proveAddresses(
  project: Project,
  request: (path: string, more?: object) => Promise<Answer>,
  { that }: Checks,
): Promise<string[]> {
  that((await request('/metrics')).status === 404, 'Caddy forwards /metrics');
  const admin = (...words: string[]) => project.exec('hushpush', nodeInImage, mainInImage, 'admin', ...words);
  const { token } = JSON.parse(await admin('account', 'create', 'ann@example.com', '--subscribed', '--json'));
  const headers = { authorization: `Bearer ${token}`, ...forged };
  const body = { password: { payload: 'tulip' } };
  const { body: push } = await request('/p.json', { method: 'POST', headers, body });
  const { body: read } = await request(`/p/${push.url_token}.json`, { headers: forged });
  that(read.payload === 'tulip', 'a push through Caddy was not read through Caddy');
  const audit = JSON.stringify((await request(`/p/${push.url_token}/audit.json`, { headers })).body);
  const addresses = [...audit.matchAll(/"ip":"([^"]+)"/g)].map(([, ip]) => String(ip));
  const isOfClient = (ip: string) => ip.startsWith('172.30.51.') && ip !== caddyAddress;
  that(addresses.length === 2 && addresses.every(isOfClient), `the log has the addresses ${addresses}`);
  return addresses;
}

/** Replaces the image while clients push and read. All that they send is answered. */
async function proveUpgrade(file: string, project: Project, traffic: Traffic, { that }: Checks) {
  await until(async () => (await traffic.since(0)).requests > warmUpRequests);
  const startedAt = Date.now();
  const seconds = await secondsOf(project.replaceImage);
  const id = await project.compose('ps', '--quiet', 'hushpush');
  const running = await docker(['inspect', '--format', '{{.Config.Image}}', id]);
  that(running === project.image, `${file}: the next image does not run`);
  const upgradedAt = Date.now();
  await untilLater(async () => (await traffic.since(upgradedAt)).requests > warmUpRequests);
  const { requests, unanswered, wrong } = await traffic.since(startedAt);
  that(wrong.length === 0, `${file}: requests were lost in the upgrade: ${wrong}`);
  return {
    'seconds of the upgrade': seconds,
    'requests in the upgrade': requests,
    'sent again meanwhile': unanswered,
  };
}

/** Kills each part by SIGKILL, and waits until clients are served again. Docker starts it anew. */
async function proveKills(project: Project, traffic: Traffic, services: string[]) {
  const startedAt = Date.now();
  for (const service of services) {
    const id = await project.compose('ps', '--quiet', service);
    const inspect = (format: string) => docker(['inspect', '--format', format, id]);
    const kill = `process.kill(${await inspect('{{.State.Pid}}')}, 'SIGKILL')`;
    const rights = ['--pid', 'host', '--network', 'none', '--user', '0', '--entrypoint', nodeInImage];
    await docker(['run', '--rm', ...rights, imageName, '-e', kill]);
    await untilLater(async () => (await inspect('{{.RestartCount}} {{.State.Running}}')) === '1 true');
    await untilLater(async () => {
      const { requests, unanswered } = await traffic.since(Date.now() - settledMs);
      return requests > 0 && unanswered === 0;
    });
  }
  const { requests, unanswered, wrong } = await traffic.since(startedAt);
  return {
    'requests while parts were killed': requests,
    'sent again while they were': unanswered,
    // A crash may cost a view. It never gives one away.
    'views lost to the crashes': wrong.length,
  };
}

/** What was answered with 201 is there, with its payload. */
async function proveNothingLost(file: string, traffic: Traffic, { that }: Checks) {
  const { kept, lost } = await traffic.stop();
  that(kept > 0 && lost.length === 0, `${file}: of ${kept} pushes these were lost: ${lost}`);
  return { kept: `${kept} pushes were read at the end, ${lost.length} lost` };
}
