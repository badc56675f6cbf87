import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Caddy makes a certificate for it by itself, without the internet. */
const domain = 'push.localhost';
const caddyAddress = '172.30.51.2';
const forged = { 'x-forwarded-for': '203.0.113.66' };
const certificate = '/data/caddy/pki/authorities/local/root.crt';

/**
 * Starts both Compose files, pushes and reads, and replaces the image beneath the data. Needs docker with Compose, and the
 * images that the files name. Builds hushpush unless it is there; `npm run prove -- image` builds it anew.
 */
export const compose: Experiment = {
  claim:
    'Both Compose files come up, serve, tell clients apart behind Caddy, and keep their data in an upgrade.',
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
  const noPorts = `${hasCaddy ? 'caddy' : 'hushpush'}: { ports: !reset [] }`;
  await writeFile(override, `services: { ${noPorts} }\n`);
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
  const startedAt = performance.now();
  await project.up();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const request = async (path: string, more: object = {}): Promise<Answer> => {
    const command = requestCommand({ url: `http://127.0.0.1:5100${path}`, ...more });
    return JSON.parse(await project.exec('hushpush', nodeInImage, ...command));
  };
  await proveUpgrade('sqlite.yaml', project, request, checks);
  return { figures: { 'seconds until sqlite.yaml is up': seconds }, failures: checks.failures };
}

async function proveMysql(project: Project): Promise<Outcome> {
  const checks = createChecks();
  const startedAt = performance.now();
  await project.up();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  await project.compose('cp', `caddy:${certificate}`, join(project.folder, 'root.crt'));
  await chmod(join(project.folder, 'root.crt'), 0o644);
  const container = ['--network', `${project.name}_front`, '--add-host', `${domain}:${caddyAddress}`];
  const trust = [
    '--volume',
    `${project.folder}/root.crt:/root.crt:ro`,
    '--env',
    'NODE_EXTRA_CA_CERTS=/root.crt',
  ];
  const request = async (path: string, more: object = {}): Promise<Answer> => {
    const command = requestCommand({ url: `https://${domain}${path}`, ...more });
    const words = ['run', '--rm', ...container, ...trust, '--entrypoint', nodeInImage, imageName, ...command];
    return JSON.parse(await docker(words));
  };
  await proveUpgrade('mysql.yaml', project, request, checks);
  checks.that((await request('/metrics')).status === 404, 'Caddy forwards /metrics');
  const admin = (...words: string[]) => project.exec('hushpush', nodeInImage, mainInImage, 'admin', ...words);
  const { token } = JSON.parse(await admin('account', 'create', 'ann@example.com', '--subscribed', '--json'));
  const headers = { authorization: `Bearer ${token}`, ...forged };
  const body = { password: { payload: 'tulip' } };
  const { body: push } = await request('/p.json', { method: 'POST', headers, body });
  await request(`/p/${push.url_token}.json`, { headers: forged });
  const audit = JSON.stringify((await request(`/p/${push.url_token}/audit.json`, { headers })).body);
  const addresses = [...audit.matchAll(/"ip":"([^"]+)"/g)].map(([, ip]) => String(ip));
  const isOfClient = (ip: string) => ip.startsWith('172.30.51.') && ip !== caddyAddress;
  checks.that(
    addresses.length === 2 && addresses.every(isOfClient),
    `the log has the addresses ${addresses}`,
  );
  return {
    figures: {
      'seconds until mysql.yaml is up': seconds,
      'address in the log': addresses.join(', '),
      database: await project.exec('database', 'mysqld', '--version'),
    },
    failures: checks.failures,
  };
}

type Checks = ReturnType<typeof createChecks>;

/** A push of the first image is read once there, and once from the next image. */
async function proveUpgrade(
  file: string,
  project: Project,
  request: (path: string, more?: object) => Promise<Answer>,
  { that }: Checks,
): Promise<void> {
  const body = { password: { payload: 'tulip', expire_after_views: 2 } };
  const { status, body: push } = await request('/p.json', { method: 'POST', headers: forged, body });
  that(status === 201, `${file}: a push was answered with ${status}`);
  const read = async () => (await request(`/p/${push.url_token}.json`)).body.payload;
  that((await read()) === 'tulip', `${file}: a push was not read`);
  await project.replaceImage();
  const id = await project.compose('ps', '--quiet', 'hushpush');
  const running = await docker(['inspect', '--format', '{{.Config.Image}}', id]);
  that(running === project.image, `${file}: the next image does not run`);
  that((await read()) === 'tulip', `${file}: a push was lost in the upgrade`);
}
