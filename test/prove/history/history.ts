import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../harness/until.ts';
import type { Experiment, Outcome, ProveOptions } from '../experiment.ts';
import { buildMutant } from '../mutants.ts';
import { type CheckedHistory, checkHistory } from './checker.ts';
import { type Cluster, type Stall, startCluster } from './cluster.ts';
import { openTestedDatabase, type TestedDatabase } from './databases.ts';
import { readFinalState } from './finalState.ts';
import { createGenerator } from './generator.ts';
import { faultsOf, torment } from './nemesis.ts';
import { startProbe } from './probe.ts';
import { createRandom } from './random.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { createRecord, type HistoryRecord } from './record.ts';
import { countByName, describeViolations } from './report.ts';

type HistoryOptions = Pick<ProveOptions, 'seconds' | 'seed'> & {
  database: TestedDatabase;
  /** The program to run instead of the one built from these sources. */
  main?: string | undefined;
  /** The faults to cause; by default all that the database allows. */
  faults?: string[] | undefined;
  workers?: number;
  /** Whether a long stall of an event loop is a failure. */
  judgesStalls?: boolean;
};

const actors = 4;
const owners = 3;
/** How much of the time passes before the first fault. Only then are stalls of the event loop judged. */
const calmShare = 0.2;
const stallMaxMs = 100;
const erasureMs = 60_000;

/**
 * Clients create, read, delete, extend and expire pushes on several processes, while faults strike. Afterwards, compares
 * what every client saw with what the database holds and what the webhooks received.
 */
export const history: Experiment = {
  claim: 'whatever dies, each push is read as often as it may be, and nothing that was confirmed is lost',
  async run(options) {
    const mutant = options.mutant === undefined ? undefined : await buildMutant(options.mutant);
    const database = await openTestedDatabase(options.database);
    try {
      const { seconds, seed, only } = options;
      const faults = only === undefined ? undefined : [only];
      return await recordHistory({ database, seconds, seed, faults, main: mutant?.main });
    } finally {
      await database.close();
      await mutant?.remove();
    }
  },
};

/** Records a history on a database and checks it. */
export async function recordHistory(options: HistoryOptions): Promise<Outcome> {
  const { database, workers = 2, main } = options;
  const cluster = await startCluster(database, { webs: 2, workers, main });
  try {
    const receivers = await startReceivers(cluster, owners);
    return await observe(cluster, receivers, options).finally(receivers.close);
  } finally {
    await cluster.close();
  }
}

async function observe(cluster: Cluster, receivers: Receivers, options: HistoryOptions): Promise<Outcome> {
  const { seconds, seed, judgesStalls = true } = options;
  const record = createRecord();
  const generator = createGenerator({ cluster, owners: receivers.owners, record, seed });
  const probe = startProbe(cluster);
  const startedAt = Date.now();
  const endsAt = startedAt + seconds * 1000;
  const isOver = () => Date.now() >= endsAt;
  const working = Promise.all(Array.from({ length: actors }, () => generator.work(isOver)));
  await sleep(seconds * 1000 * calmShare);
  const calmUntil = Date.now();
  await torment({ cluster, record, random: createRandom(seed), names: faultNames(cluster, options) }, isOver);
  await cluster.ready();
  await working;
  await generator.drain(actors);
  const unerased = await settle(cluster, erasureMs);
  await probe.stop();

  const checked: CheckedHistory = {
    ...record,
    stored: await readFinalState(cluster.store, record.pushes),
    received: receivers.received(record.pushes),
  };
  const calmStall = slowestStall(cluster, startedAt, calmUntil);
  const failures = [
    ...describeViolations(checkHistory(checked), checked),
    ...(unerased > 0 ? [`${unerased} expired pushes were not erased within ${erasureMs / 1000} s`] : []),
    ...(judgesStalls && (calmStall?.stallMs ?? 0) > stallMaxMs
      ? [`without a fault, an event loop stood still: ${JSON.stringify(calmStall)}`]
      : []),
    ...(receivers.counts().refused > 0 ? ['a notice arrived without a valid signature'] : []),
  ];
  return {
    figures: {
      ...figuresOf(record),
      'warnings in logs': countByName(cluster.warnings()),
      'notices received': receivers.counts().received,
      'replies to COMMIT lost': cluster.commitFault.lost(),
      'longest stall of an event loop without a fault, ms': calmStall?.stallMs ?? 0,
      'slowest /livez, ms': `${probe.slowest(calmUntil)} without a fault, ${probe.slowest()} in all`,
      seconds: Math.round((Date.now() - startedAt) / 1000),
    },
    failures,
  };
}

function faultNames(cluster: Cluster, { faults }: HistoryOptions): string[] {
  const known = Object.keys(faultsOf(cluster));
  const unknown = faults?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no fault is named ${unknown}, only ${known.join(', ')}`);
  return faults ?? known;
}

/** Waits until expired pushes are erased and all notices are delivered. Returns the number of those not erased in time. */
async function settle({ store }: Cluster, timeoutMs: number): Promise<number> {
  const { database } = store;
  const { now } = database.dialect;
  const unerased = () =>
    database.select(`SELECT id FROM pushes WHERE expires_at <= ${now} AND payload IS NOT NULL`, {});
  const overdue = await until(async () => (await unerased()).length === 0, timeoutMs).then(
    () => 0,
    async () => (await unerased()).length,
  );
  await store.endLeases(); // of processes that died: waiting for them proves nothing
  await until(
    async () => (await database.select('SELECT id FROM notices WHERE ended_at IS NULL', {})).length === 0,
  );
  return overdue;
}

function slowestStall(cluster: Cluster, from: number, to: number): Stall | undefined {
  const calm = cluster.stalls().filter(({ endedAt }) => endedAt >= from && endedAt <= to);
  return calm.toSorted((a, b) => b.stallMs - a.stallMs)[0];
}

function figuresOf({ operations, pushes, faults }: HistoryRecord): Record<string, string | number> {
  const retrievals = operations.filter(({ kind }) => kind === 'retrieve');
  return {
    pushes: pushes.length,
    retrievals: retrievals.length,
    delivered: retrievals.filter(({ payload }) => payload !== undefined).length,
    operations: countByName(operations.map(({ kind }) => kind)),
    'unknown results': countByName(
      operations
        .filter(({ outcome }) => outcome === 'unknown')
        .map(({ status, error }) => (status > 0 ? String(status) : (error ?? 'none'))),
    ),
    faults: countByName(faults.map(({ name }) => name)),
  };
}
