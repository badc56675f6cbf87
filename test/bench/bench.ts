import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { createConnection } from 'mysql2/promise';
import { packageRoot } from '../../src/runtime/package.ts';
import { ensureGalera, startGalera } from '../harness/galera.ts';
import { ensureMariadb, startMariadb } from '../harness/mariadb.ts';
import { startReplicated } from '../harness/replicated.ts';
import { fillPushes } from './fill.ts';

const usage = `npm run bench -- [options]
Creates and retrieves pushes over keep-alive connections. In the same run it measures Koa alone and node:http with
mysql2 alone. Prints the medians of interleaved rounds after a warm-up.
  --database mariadb|replicated|galera|sqlite
                              a throwaway MariaDB with default durability (default), the same with two replicas, a
                              Galera cluster of three nodes (hushpush uses one of them), or an SQLite file
  --rounds 3  --pushes 4000  --connections 32  --pool 10  --processes 1
  --stored 0                  live pushes stored before the first round`;

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'mariadb' },
    rounds: { type: 'string', default: '3' },
    pushes: { type: 'string', default: '4000' },
    connections: { type: 'string', default: '32' },
    pool: { type: 'string', default: '10' },
    processes: { type: 'string', default: '1' },
    stored: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
const connections = Number(options.connections);
const pushes = Math.ceil(Number(options.pushes) / connections) * connections; // an equal share for each connection
const stored = Number(options.stored);

const viewsPerPush = 5;
const payload = 'correct horse battery staple '.repeat(4);

type Server = { name: string; url: string; pids: () => number[]; stop: () => Promise<void> };
type Phase = 'create' | 'retrieve' | 'respond';
type Measurement = {
  name: string;
  phase: Phase;
  perSecond: number;
  p50: number;
  p99: number;
  cpuMicros: number;
};

async function main(): Promise<void> {
  if (options.help) return console.log(usage);
  const dir = await mkdtemp(join(tmpdir(), 'bench-'));
  const mariadb = await startServer(options.database);
  const databaseUrl = mariadb ? await createBenchDatabase(mariadb.url) : `sqlite:${join(dir, 'bench.db')}`;
  const started: Server[] = [];
  const track = async (server: Promise<Server>) => {
    started.push(await server);
    return server;
  };
  try {
    const hushpush = await track(startHushpush(dir, databaseUrl));
    const koa = await track(startBare('bare Koa', ['koa'], []));
    const bare = mariadb && (await track(startBare('bare mysql2', ['mysql2'], [databaseUrl, options.pool])));
    const servers = [...(bare ? [bare] : []), hushpush];
    if (mariadb && stored > 0)
      console.log(`stored ${stored} pushes in ${await fillPushes(databaseUrl, stored)} s`);
    const measurements: Measurement[] = [];
    for (let round = 0; round <= rounds; round++) {
      const measured = [await measureRequests(koa)];
      for (const server of round % 2 ? servers : servers.toReversed())
        measured.push(...(await createAndRetrieve(server)));
      if (round > 0) measurements.push(...measured); // the first is the warm-up
    }
    report(measurements);
    console.log(`resident memory of hushpush: ${residentMiB(hushpush.pids())} MiB`);
  } finally {
    for (const server of started) await server.stop();
    await mariadb?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

function measureRequests(server: Server): Promise<Measurement> {
  return load(server, 'respond', pushes * 2, {});
}

async function createAndRetrieve(server: Server): Promise<Measurement[]> {
  const tokens: string[] = [];
  const body = JSON.stringify({ password: { payload, expire_after_views: viewsPerPush } });
  const created = await load(server, 'create', pushes, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    setupClient: (client) => {
      client.on('body', (text: Buffer) => void tokens.push(JSON.parse(text.toString()).url_token));
    },
  });
  let client = 0;
  const retrieved = await load(server, 'retrieve', pushes * viewsPerPush, {
    setupClient: (each) =>
      each.setRequests(shareOf(tokens, client++).map((token) => ({ path: `/p/${token}.json` }))),
  });
  return [created, retrieved];
}

/** The tokens that one connection retrieves. Each token occurs as often as its push may be viewed. */
function shareOf(tokens: string[], client: number): string[] {
  const own = tokens.filter((_, index) => index % connections === client);
  return Array.from({ length: viewsPerPush }, () => own).flat();
}

/** Runs one phase. All responses must be successful. Measures time itself, because autocannon reports whole seconds. */
async function load(
  server: Server,
  phase: Phase,
  amount: number,
  { setupClient, ...requestOptions }: Partial<autocannon.Options>,
): Promise<Measurement> {
  const cpuBefore = cpuMicros(server.pids());
  const startedAt = performance.now();
  let answeredAt = startedAt;
  const result = await autocannon({
    url: server.url + (phase === 'create' ? '/p.json' : '/'),
    connections,
    amount,
    setupClient: (client) => {
      setupClient?.(client);
      client.on('response', () => {
        answeredAt = performance.now();
      });
    },
    ...requestOptions,
  });
  const refused = result.non2xx + result.errors;
  if (refused > 0) throw new Error(`${server.name}, ${phase}: ${refused} of ${amount} requests failed`);
  return {
    name: server.name,
    phase,
    perSecond: (amount * 1000) / (answeredAt - startedAt),
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMicros: (cpuMicros(server.pids()) - cpuBefore) / amount,
  };
}

/** A database server to measure on, or undefined for SQLite. */
async function startServer(kind: string): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (kind === 'sqlite') return undefined;
  if (kind === 'replicated') return startReplicated();
  if (kind === 'galera') {
    await ensureGalera();
    const { nodes, stop } = await startGalera();
    return { url: nodes[0]?.url ?? '', stop };
  }
  await ensureMariadb();
  return startMariadb();
}

async function createBenchDatabase(serverUrl: string): Promise<string> {
  const connection = await createConnection(serverUrl);
  await connection.query('CREATE DATABASE hushpush CHARACTER SET utf8mb4');
  await connection.end();
  return `${serverUrl}/hushpush`;
}

async function startHushpush(dir: string, databaseUrl: string): Promise<Server> {
  return start(
    'hushpush',
    '/readyz',
    () => [join(packageRoot, 'dist/src/main.js'), 'start'],
    (port) => ({
      cwd: dir,
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        RATE_LIMITS: 'off',
        DATABASE_POOL: options.pool,
        WEB_PROCESSES: options.processes,
        DATABASE_URL: databaseUrl,
        MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
        PEPPER: randomBytes(32).toString('base64'),
      },
    }),
  );
}

async function startBare(name: string, argsBeforePort: string[], argsAfterPort: string[]): Promise<Server> {
  const script = join(import.meta.dirname, 'bare.ts');
  return start(
    name,
    '/',
    (port) => ['--import', 'tsx', script, ...argsBeforePort, String(port), ...argsAfterPort],
    () => ({ cwd: packageRoot }),
  );
}

type Arguments = (port: number) => string[];

async function start(
  name: string,
  health: string,
  args: Arguments,
  spawnOptions: (port: number) => object,
): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, args(port), {
    stdio: ['ignore', 'ignore', 'inherit'],
    ...spawnOptions(port),
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await isOk(url + health)); tries++) {
    if (tries > 300 || child.exitCode !== null) throw new Error(`${name} did not start`);
    await sleep(50);
  }
  return {
    name,
    url,
    pids: () => [child.pid ?? 0, ...childrenOf(child.pid ?? 0)],
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function isOk(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** User and system time of processes, from Linux's /proc in ticks of 10 ms. 0 on other systems. */
function cpuMicros(pids: number[]): number {
  const ticksOf = (pid: number) => {
    const fields = procFile(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  };
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * 10_000;
}

function childrenOf(pid: number): number[] {
  return procFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function residentMiB(pids: number[]): number {
  const kib = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(procFile(pid, 'status'))?.[1] ?? 0));
  return Math.round(kib.reduce((sum, each) => sum + each, 0) / 1024);
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function report(measurements: Measurement[]): void {
  const medianOf = (name: string, phase: Phase, key: 'perSecond' | 'p50' | 'p99' | 'cpuMicros') => {
    const values = measurements
      .filter((figure) => figure.name === name && figure.phase === phase)
      .map((figure) => figure[key]);
    return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  };
  const cases = new Map(measurements.map(({ name, phase }) => [`${phase}, ${name}`, { name, phase }]));
  console.table(
    Object.fromEntries(
      [...cases]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([title, { name, phase }]) => [
          title,
          {
            'per second': Math.round(medianOf(name, phase, 'perSecond')),
            'p50 ms': medianOf(name, phase, 'p50'),
            'p99 ms': medianOf(name, phase, 'p99'),
            'CPU µs': Math.round(medianOf(name, phase, 'cpuMicros')),
          },
        ]),
    ),
  );
  for (const phase of ['create', 'retrieve'] as const) {
    const ceiling = medianOf('bare mysql2', phase, 'perSecond');
    if (ceiling > 0)
      console.log(
        `${phase}: ${Math.round((100 * medianOf('hushpush', phase, 'perSecond')) / ceiling)} % of bare mysql2`,
      );
  }
}

await main();
