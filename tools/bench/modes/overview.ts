import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCleanups } from '../cleanups.ts';
import { type LoadGenerator, startLoadGenerator } from '../load/load.ts';
import { watchMachine } from '../machine.ts';
import { type Measurement, measureOnce, warmUp } from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import { markdownTable, median, roundsOf, spreadOf } from '../report.ts';
import { startDatabases } from '../servers/databases.ts';
import { proportionalMiB } from '../servers/processes.ts';
import { rivalServer } from '../servers/rival.ts';
import { type Server, startBare, startHushpush } from '../servers/server.ts';
import { again } from '../targets/hushpush.ts';
import { rivals, targets } from '../targets/targets.ts';
import { fill } from './throughput.ts';

const mebibyte = 'x'.repeat(1024 * 1024);
/** Most of what a start leaves behind is collected after that. */
const idleMs = 120_000;
const bareName = 'bare transaction with Koa';
const [begin, end] = ['<!-- overview -->', '<!-- /overview -->'];

type Servers = Awaited<ReturnType<typeof startServers>>;
type Round = Awaited<ReturnType<typeof measureRound>>;

/**
 * Measures what matters most in one run, beside a bare server: programs, people, large secrets, SQLite, two processes,
 * memory, hushpush with many pushes if `--stored` says how many, and the rivals that are named. Every round starts all
 * servers anew: of two processes that run the same code, one can need a sixth less for as long as it lives. With
 * `--write FILE`, its tables replace those of that document.
 */
export async function overview(options: BenchOptions): Promise<void> {
  const machine = watchMachine();
  const rounds: Round[] = [];
  while (rounds.length < options.rounds) rounds.push(await measureRound(options, rounds.length));
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
  const all = (kind: keyof Round['measured']) => rowsOf(rounds.flatMap(({ measured }) => measured[kind]));
  const middle = (figure: 'idleMiB' | 'busyMiB' | 'smallMs') =>
    Math.round(median(rounds.flatMap((round) => round[figure] ?? [])));
  const text = [
    markdownTable([
      ...all('alone'),
      ...all('many'),
      ...all('most'),
      ...all('large').map((row) => ({ ...row, what: `${row.what}, 1 MiB` })),
    ]),
    markdownTable([
      { what: 'memory when idle', figure: `${middle('idleMiB')} MiB` },
      { what: 'memory after 256 connections', figure: `${middle('busyMiB')} MiB` },
      { what: 'slowest percent of small creates beside 32 of 1 MiB', figure: `${middle('smallMs')} ms` },
    ]),
    `At commit ${commit}; ${options.rounds} rounds, medians and spread; ${machine()}.`,
  ].join('\n\n');
  console.log(text);
  if (options.write !== undefined) await writeBetweenMarks(options.write, text);
}

/** Measures everything once. The first round also waits until hushpush is idle. */
async function measureRound(options: BenchOptions, round: number) {
  const cleanups = createCleanups();
  try {
    const generator = startLoadGenerator();
    cleanups.add(generator.stop);
    const servers = await startServers(options, cleanups.add);
    if (round === 0) await sleep(idleMs);
    const idleMiB = round === 0 ? proportionalMiB(servers.hushpush.pids()) : undefined;
    const { busyMiB, ...measured } = await measureAll(servers, { ...options, generator }, round);
    const smallMs = await smallBesideLarge(servers.hushpush, generator, cleanups.add);
    return { measured, idleMiB, busyMiB, smallMs };
  } finally {
    await cleanups.run();
  }
}

/** All on one database server but SQLite and what is full, so that all see the same moods of the machine. */
async function startServers(options: BenchOptions, cleanUp: (stop: () => unknown) => void) {
  const { settings, pool, stored } = options;
  const started = async (starting: Promise<Server>) => {
    const server = await starting;
    cleanUp(server.stop);
    return server;
  };
  const [databases, files] = [await startDatabases('mariadb'), await startDatabases('sqlite')];
  for (const { stop } of [databases, files]) cleanUp(stop);
  const database = await databases.create();
  const hushpush = await started(startHushpush(database, settings));
  const bare = await started(startBare('transaction', database, { pool, framework: 'koa' }));
  const twin = await started(startHushpush(await databases.create(), settings));
  const two = { ...settings, WEB_PROCESSES: '2' };
  return {
    hushpush,
    bare,
    twoServices: {
      ...hushpush,
      name: 'two services',
      otherUrls: [twin.url],
      pids: () => [...hushpush.pids(), ...twin.pids()],
    },
    twoProcesses: await started(startHushpush(await databases.create(), two, { name: 'two processes' })),
    sqlite: await started(startHushpush(await files.create(), settings, { name: 'on SQLite' })),
    full: stored > 0 ? [await started(startFull(settings, stored, cleanUp))] : [],
    rivals: options.rivals.map((rival) => rivalServer(rival, Object.keys(rivals))),
  };
}

/** On a database server of its own, since so many pushes would leave others no room in its memory. */
async function startFull(
  settings: BenchOptions['settings'],
  stored: number,
  cleanUp: (stop: () => unknown) => void,
): Promise<Server> {
  const databases = await startDatabases('mariadb');
  cleanUp(databases.stop);
  const database = await databases.create();
  const server = await startHushpush(database, settings, { name: `with ${stored} pushes` });
  await fill(database.url, stored);
  return server;
}

async function measureAll(
  servers: Servers,
  options: BenchOptions & { generator: LoadGenerator },
  round: number,
) {
  const { hushpush, bare, twoServices, twoProcesses, sqlite } = servers;
  const { pushes } = options;
  const once = (server: Server): Server => ({ ...server, target: 'once' });
  const programs = [hushpush, bare].map(once);
  const everyView = { ...hushpush, target: 'visits' };
  const others = [sqlite, ...servers.full].map(once);
  // as many connections for each of two as the one has
  const doubled = [twoServices, twoProcesses].map((server) => ({ ...once(server), connections: 64 }));
  const everybody = [everyView, once(bare), ...others, ...servers.rivals, ...doubled];
  /** Each server right after its warm-up: one that has waited for others is slower for its next 10,000 requests. */
  async function measure(of: Server[], connections: number, load = {}) {
    const measurements: Measurement[] = [];
    for (const server of round % 2 === 0 ? of : of.toReversed()) {
      const { connections: own = 32, target } = server;
      const steps = Object.keys(targets[target] ?? {}).length;
      const warmup = options.warmup * (own / 32) * (steps / 2); // as many for each of two services, and for each step
      await warmUp({ ...options, warmup, servers: [server] });
      measurements.push(...(await measureOnce(server, { ...options, ...load }, connections)));
    }
    return measurements.filter(({ step }) => step !== again); // which says what the first step does
  }
  const alone = await measure(programs, 1);
  const many = await measure(everybody, 32);
  const most = await measure(programs, 256);
  const busyMiB = proportionalMiB(hushpush.pids());
  const large = await measure([hushpush, bare], 32, { pushes: Math.ceil(pushes / 10), item: mebibyte });
  return { alone, many, most, large, busyMiB };
}

/** The 99th percentile of creates, in milliseconds, while 32 connections create secrets of a mebibyte. */
async function smallBesideLarge(
  { url }: Server,
  generator: LoadGenerator,
  cleanUp: (stop: () => unknown) => void,
): Promise<number> {
  const other = startLoadGenerator();
  cleanUp(other.stop);
  const create = { target: 'once', step: 'create', url };
  const large = other.run({ ...create, connections: 32, items: Array.from({ length: 400 }, () => mebibyte) });
  await sleep(500);
  const small = await generator.run({
    ...create,
    connections: 4,
    items: Array.from({ length: 200 }, () => 'tulip'),
  });
  await large;
  return small.latencies[Math.floor(small.latencies.length * 0.99)] ?? 0;
}

/** The servers that are not compared with the bare one. */
const yardsticks: [RegExp, string][] = [
  [/^(?:two services|with \d+ pushes)$/, 'hushpush'],
  [/^two processes$/, 'two services'],
];

/** What is divided by that of a yardstick, in this order. */
const compared: ((each: Measurement) => number)[] = [
  ({ perSecond }) => perSecond,
  ({ p50 }) => p50,
  ({ p99 }) => p99,
  cpuOf,
];

function cpuOf({ serverMicros, databaseMicros }: Measurement): number {
  return serverMicros + databaseMicros;
}

/**
 * A row for each server and step. What people do is beside a program's view, two services and many pushes beside hushpush alone,
 * two processes of one service beside the two services, which keep the machine as busy, and everything else beside the bare
 * server.
 */
function rowsOf(measurements: Measurement[]): Record<string, string | number>[] {
  const groups = roundsOf(measurements);
  const find = (server: string, step: string) =>
    groups.find(([first]) => first?.server === server && first.step === step);
  const middle = (of: Measurement[], value: (each: Measurement) => number) => median(of.map(value));
  return groups.map((group) => {
    const [{ server, step, connections } = { server: '', step: '', connections: 0 }] = group;
    const isOfPeople = step === 'open' || step === 'reveal';
    const [, beside = bareName] = yardsticks.find(([pattern]) => pattern.test(server)) ?? [];
    const yardstick = isOfPeople ? find('hushpush', 'retrieve') : find(beside, step);
    return {
      what: `\`${step}\`, ${server === bareName ? 'bare' : server}`,
      clients: connections,
      'per second': spreadOf(group.map(({ perSecond }) => perSecond)),
      'p50, p99 ms': [middle(group, ({ p50 }) => p50), middle(group, ({ p99 }) => p99)]
        .map((ms) => ms.toFixed(2))
        .join(', '),
      'CPU µs': spreadOf(group.map(cpuOf)),
      'of the yardstick: rate, p50, p99, CPU':
        yardstick === undefined
          ? ''
          : compared.map((value) => (middle(group, value) / middle(yardstick, value)).toFixed(2)).join(', '),
    };
  });
}

async function writeBetweenMarks(path: string, text: string): Promise<void> {
  const [before, rest] = (await readFile(path, 'utf8')).split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${path} has no ${begin} and ${end}`);
  await writeFile(path, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
