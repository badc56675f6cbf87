import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClient } from '../../test/harness/api.ts';
import { startProcess, startWorker } from '../../test/harness/process.ts';
import { startWebhookReceiver, type WebhookEndpoint } from '../../test/harness/receiver.ts';
import { storePushes } from './fill.ts';
import { summary } from './latencies.ts';
import { startDatabases } from './servers/databases.ts';
import { hasAny, openStage, type Stage, storeNotices, storeOwned } from './stage.ts';

const usage = `npm run bench:jobs -- [options]
Measures the background jobs, with real processes on a database of their own. Naming benchmarks runs only those. Each takes
a number; the defaults are shown.
  --database mariadb|sqlite   a throwaway MariaDB with default durability (default), or SQLite files
  --burst 10000               pushes that expire at the same time: how late they are erased, and how that affects other requests
  --overdue 10000             pushes that expired long ago: time from the start of a worker to the last erasure
  --live 1000,1000000         live pushes: the cost of a sweep that finds nothing to erase
  --notices 10000             notices at once, with --processes 2,4 processes: time until the last delivery, and duplicates
  --kills 20                  kills of a delivering worker by SIGKILL: lost and duplicate notices
  --accounts 20               accounts that receive the notices, each with a webhook`;

const benchmarks = {
  burst: { byDefault: '10000', measure: burst },
  overdue: { byDefault: '10000', measure: overdue },
  live: { byDefault: '1000,1000000', measure: emptySweep },
  notices: { byDefault: '10000', measure: outbox },
  kills: { byDefault: '20', measure: kills },
};

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'mariadb' },
    burst: { type: 'string' },
    overdue: { type: 'string' },
    live: { type: 'string' },
    notices: { type: 'string' },
    processes: { type: 'string', default: '2,4' },
    kills: { type: 'string' },
    accounts: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});

type OpenStage = () => Promise<Stage>;

const dayMs = 86_400_000;
const requestEveryMs = 25;
const sweeps = 200;
const responseMs = 20;

async function main(): Promise<void> {
  if (options.help) return console.log(usage);
  const names = Object.keys(benchmarks) as (keyof typeof benchmarks)[];
  const selected = names.filter((name) => options[name] !== undefined);
  const databases = await startDatabases(options.database);
  const opened: Stage[] = [];
  const open = async () => {
    const stage = await openStage((await databases.create()).url);
    opened.push(stage);
    return stage;
  };
  try {
    for (const name of selected.length > 0 ? selected : names) {
      const { byDefault, measure } = benchmarks[name];
      for (const amount of (options[name] ?? byDefault).split(',').map(Number)) await measure(open, amount);
    }
  } finally {
    for (const { store } of opened) await store.close();
    await databases.stop();
  }
}

async function burst(open: OpenStage, count: number): Promise<void> {
  const stage = await open();
  const service = await startProcess(stage.settings);
  const background = startBackgroundLoad(service.port);
  try {
    await sleep(3_000); // to warm up
    const end = await storePushes(stage.database, { count, expiresInMs: 15_000 });
    await sleep(3_000);
    const from = performance.now();
    await until(async () => (await stage.domain.clock()) >= end);
    const ended = performance.now();
    await until(async () => !(await hasAny(stage, 'pushes', `due_at <= ${end}`)));
    const seconds = (performance.now() - ended) / 1000;
    await sleep(1_000);
    console.log(`${count} pushes that expired at the same time were erased after ${seconds.toFixed(1)} s`);
    const metrics = await fetch(`${service.url}/metrics`).then((answer) => answer.text());
    const lags = metrics.matchAll(/^hushpush_erasure_lag_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm);
    console.log(`erased within seconds: ${[...lags].map(([, le, erased]) => `${le}: ${erased}`).join(', ')}`);
    console.table({
      'requests before': summary(background.between(from, ended)),
      'requests during': summary(background.between(ended, ended + seconds * 1000)),
    });
  } finally {
    await background.stop();
    await service.stop();
  }
}

/** Creates and previews pushes in turns, at a constant rate, however long the responses take. */
function startBackgroundLoad(port: number) {
  const client = createClient(port);
  const samples: { at: number; ms: number }[] = [];
  let token: string | undefined;
  const underWay = new Set<Promise<void>>();

  async function sendRequest(): Promise<void> {
    const at = performance.now();
    const last = token;
    token = undefined;
    if (last === undefined) token = (await client.create()).token;
    else await client.get(`/p/${last}/preview.json`);
    samples.push({ at, ms: performance.now() - at });
  }

  const timer = setInterval(() => {
    const pending = sendRequest().finally(() => underWay.delete(pending));
    underWay.add(pending);
  }, requestEveryMs);
  return {
    between: (from: number, to: number) =>
      samples.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms),
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      client.close();
    },
  };
}

async function overdue(open: OpenStage, count: number): Promise<void> {
  const anonymous = await open();
  await storePushes(anonymous.database, { count, expiresInMs: -dayMs });
  await eraseAll(anonymous, `${count} pushes that expired a day ago`);

  const owned = await open();
  const receiver = await startWebhookReceiver();
  await storeOwned(owned, receiver, Number(options.accounts), count);
  await owned.database.execute(
    'UPDATE pushes SET expires_at = expires_at - $age, due_at = expires_at - $age',
    {
      age: 30 * dayMs,
    },
  );
  await eraseAll(owned, 'as many whose owners get notices');
  await receiver.close();
}

async function eraseAll(stage: Stage, what: string): Promise<void> {
  const startedAt = performance.now();
  const [worker] = await Promise.all([
    startWorker(stage.settings),
    until(async () => !(await hasAny(stage, 'pushes', `due_at <= ${stage.database.dialect.now}`)), 100),
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${what} were erased ${seconds.toFixed(1)} s after the start of a worker`);
  await worker.stop();
}

async function emptySweep(open: OpenStage, count: number): Promise<void> {
  const stage = await open();
  const { domain, database } = stage;
  const filledAt = performance.now();
  await storePushes(stage.database, { count, expiresInMs: 30 * dayMs });
  const filled = ((performance.now() - filledAt) / 1000).toFixed(0);
  const select = await sweepStatement(stage);
  const times = { statement: [] as number[], 'whole sweep': [] as number[] };
  for (let swept = 0; swept < sweeps; swept++) {
    times.statement.push(await millisecondsOf(() => database.select(select, {})));
    times['whole sweep'].push(await millisecondsOf(domain.sweeps.expireDue));
  }
  const explain = database.dialect.name === 'mysql' ? 'EXPLAIN FORMAT = TRADITIONAL' : 'EXPLAIN QUERY PLAN';
  console.log(`a sweep that finds nothing, among ${count} live pushes (stored in ${filled} s):`);
  console.table({ statement: summary(times.statement), 'whole sweep': summary(times['whole sweep']) });
  console.table(await database.select(`${explain} ${select}`, {}));
}

/** The statement with which a sweep finds due pushes. */
async function sweepStatement({ domain, database: { sequelize } }: Stage): Promise<string> {
  const statements: string[] = [];
  const { options } = sequelize as unknown as { options: { logging: unknown } };
  options.logging = (text: string) => statements.push(text.replace(/^Executing \([^)]*\): /, ''));
  await domain.sweeps.expireDue();
  options.logging = false;
  return statements.find((sql) => /FROM pushes\s+WHERE due_at/.test(sql)) ?? '';
}

async function millisecondsOf(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}

async function outbox(open: OpenStage, count: number): Promise<void> {
  const receiver = await startWebhookReceiver();
  const stage = await open();
  const { endpoints } = await storeOwned(stage, receiver, Number(options.accounts), count);
  for (const processes of options.processes.split(',').map(Number)) {
    await stage.database.execute('DELETE FROM notices', {});
    for (const ear of endpoints) ear.received.length = 0;
    const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(stage.settings)));
    await sleep(2_000);
    const startedAt = performance.now();
    await storeNotices(stage);
    const stored = (performance.now() - startedAt) / 1000;
    await until(async () => !(await hasAny(stage, 'notices', 'due_at IS NOT NULL')), 100);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(
      `${count} notices, ${processes} processes: delivered after ${seconds.toFixed(1)} s (written in ${stored.toFixed(1)} s); ${deliverySummary(endpoints, count)}`,
    );
    for (const worker of workers) await worker.stop();
  }
  await receiver.close();
}

async function kills(open: OpenStage, count: number): Promise<void> {
  const receiver = await startWebhookReceiver();
  const stage = await open();
  const notices = count * 200;
  const { endpoints } = await storeOwned(stage, receiver, Number(options.accounts), notices);
  for (const ear of endpoints) ear.respond = () => sleep(responseMs, 204);
  await storeNotices(stage);
  const received = () => endpoints.reduce((sum, ear) => sum + ear.received.length, 0);
  for (let kill = 0; kill < count; kill++) {
    const worker = await startWorker(stage.settings);
    const enough = received() + 20 + Math.random() * 130;
    await until(async () => received() >= enough, 1);
    await worker.kill9();
    await stage.store.endLeases();
  }
  const last = await startWorker(stage.settings);
  await until(async () => !(await hasAny(stage, 'notices', 'due_at IS NOT NULL')), 100);
  await last.stop();
  const duplicates = received() - new Set(endpoints.flatMap(idsOf)).size;
  console.log(
    `${notices} notices to ${options.accounts} webhooks, ${count} kills: ${deliverySummary(endpoints, notices)}, ${(duplicates / count).toFixed(1)} duplicates per kill`,
  );
  await receiver.close();
}

const idsOf = ({ received }: WebhookEndpoint) => received.map(({ id }) => id);

/** The numbers of lost and duplicate notices, and the most deliveries of one notice. */
function deliverySummary(endpoints: WebhookEndpoint[], count: number): string {
  const deliveries = new Map<string, number>();
  for (const id of endpoints.flatMap(idsOf)) deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
  const requests = [...deliveries.values()].reduce((sum, each) => sum + each, 0);
  return `${count - deliveries.size} lost, ${requests - deliveries.size} duplicates, at most ${Math.max(...deliveries.values())} deliveries of one notice`;
}

async function until(condition: () => Promise<boolean>, everyMs = 50): Promise<void> {
  while (!(await condition())) await sleep(everyMs);
}

await main();
