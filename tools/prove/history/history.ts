import { en } from '../../../src/locales/en.ts';
import { times } from '../../../test/harness/api.ts';
import { untilLater } from '../../../test/harness/until.ts';
import type { Experiment, Outcome } from '../experiment.ts';
import { type CheckedHistory, checkHistory } from './checker.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { checkConformance } from './conformance.ts';
import { openTestedDatabase, type TestedDatabase } from './databases.ts';
import { watchErasure } from './erasure.ts';
import { readFinalState } from './finalState.ts';
import { createGenerator } from './generator.ts';
import { buildMutant } from './mutants.ts';
import { faultsOf, hiddenFaults, torment } from './nemesis.ts';
import { createRandom } from './random.ts';
import { type Receivers, startReceivers } from './receivers.ts';
import { clientOf, createRecord, type HistoryRecord } from './record.ts';
import { countByName, describeViolations } from './report.ts';
import { describeStall, measureStalls, stallFailures } from './stalls.ts';

type HistoryOptions = {
  database: TestedDatabase;
  seed: number;
  /** How much is enough, unless a fault has not been caused yet. */
  enough: { seconds: number } | { pushes: number };
  /** The program to run instead of the one built from these sources. */
  main?: string | undefined;
  /** The faults to cause; by default all that the database allows. */
  faults?: string[] | undefined;
  workers?: number;
};

const actors = 4;
const owners = 3;
/** How much passes before the first fault, and how many views. Only then are stalls of the event loop judged. */
const calm = { share: 0.2, views: 20 };

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
      return await recordHistory({ database, enough: { seconds }, seed, faults, main: mutant?.main });
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
  const { seed, enough } = options;
  const record = createRecord();
  const generator = createGenerator({ cluster, owners: receivers.owners, record, seed });
  const erasure = watchErasure(cluster.store);
  const startedAt = Date.now();
  const progress = () =>
    'pushes' in enough
      ? record.pushes.length / enough.pushes
      : (Date.now() - startedAt) / (enough.seconds * 1000);
  let isOver = false;
  const working = times(actors, () => generator.work(() => isOver));
  const isCalmOver = () => {
    cluster.requireRunning();
    return progress() >= calm.share && viewsIn(record).length >= calm.views;
  };
  const stalls = await measureStalls(cluster.webs, () => untilLater(isCalmOver));
  const names = faultNames(cluster, options);
  await torment({ cluster, record, random: createRandom(seed), names }, () => progress() >= 1);
  isOver = true;
  await cluster.ready();
  await working;
  await generator.drain(actors);
  await untilLater(erasure.isDecided);
  await delivered(cluster);
  await erasure.stop();

  const checked: CheckedHistory = {
    ...record,
    stored: await readFinalState(cluster.store, record.pushes),
    received: receivers.received(record.pushes),
  };
  const unexplained = checkConformance(checked);
  const failures = [
    ...describeViolations([...checkHistory(checked), ...unexplained], checked),
    ...unavailabilities(record, cluster),
    ...erasure.failures(),
    ...stallFailures(stalls),
    ...(receivers.counts().refused > 0 ? ['a notice arrived without a valid signature'] : []),
  ];
  return {
    figures: {
      ...figuresOf(record),
      'pushes that the model explains': record.pushes.length - unexplained.length,
      'views counted, never delivered': describeForfeits(checked),
      'warnings in logs': countByName(cluster.warnings()),
      'notices received': receivers.counts().received,
      'replies to COMMIT lost': cluster.commitFault.lost(),
      'slowest /livez without a fault': stalls.map(describeStall).join(', '),
      ...erasure.figures(),
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

/**
 * Responses of 503 while nothing but processes of the service was killed. A database may still be too busy: Galera refuses
 * what meets changes of other nodes too often, and SQLite has one lock for all processes.
 */
function unavailabilities({ faults, operations }: HistoryRecord, { database }: Cluster): string[] {
  if (!faults.every(({ name }) => hiddenFaults.includes(name))) return [];
  const mayBeBusy = database.nodes.length !== 1;
  const refused = operations.filter(({ status }) => status === 503);
  const unexpected = refused.filter(({ error }) => !(mayBeBusy && error?.includes(en.refusals.databaseBusy)));
  return unexpected.map(
    ({ agent, process, error }) =>
      `${agent} got 503 from ${process}, although only others were killed: ${error}`,
  );
}

/** Waits until all notices are delivered. */
async function delivered({ store }: Cluster): Promise<void> {
  await store.endLeases(); // of processes that died: waiting for them proves nothing
  await untilLater(
    async () =>
      (await store.database.select('SELECT id FROM notices WHERE ended_at IS NULL', {})).length === 0,
  );
}

/** Views that are counted and that nobody got, by what their clients did. */
function describeForfeits({ operations, stored }: CheckedHistory): string {
  const counted = new Set([...stored.values()].flatMap(({ viewAgents }) => viewAgents));
  const given = new Set(operations.filter(({ payload }) => payload !== undefined).map(clientOf));
  const forfeited = operations.filter((one) => counted.has(one.agent) && !given.has(clientOf(one)));
  const underKeys = forfeited.filter(({ key }) => key !== undefined).length;
  const hungUp = forfeited.filter(({ key, hungUpAt }) => key === undefined && hungUpAt !== undefined).length;
  const others = forfeited.length - underKeys - hungUp;
  return `${underKeys} of clients that tried again under a key, ${hungUp} of clients that hung up, ${others} of others`;
}

const viewsIn = ({ operations }: HistoryRecord) => operations.filter(({ payload }) => payload !== undefined);

function figuresOf(record: HistoryRecord): Record<string, string | number> {
  const { operations, pushes, faults } = record;
  return {
    pushes: pushes.length,
    retrievals: operations.filter(({ kind }) => kind === 'retrieve').length,
    delivered: viewsIn(record).length,
    'delivered again under a key': viewsIn(record).length - new Set(viewsIn(record).map(clientOf)).size,
    'delivered by pages': viewsIn(record).filter(({ isByPage }) => isByPage).length,
    'large payloads delivered': viewsIn(record).filter(({ payload = '' }) => payload.length > 1_000).length,
    'hung up': operations.filter(({ hungUpAt }) => hungUpAt !== undefined).length,
    operations: countByName(operations.map(({ kind }) => kind)),
    'unknown results': countByName(
      operations
        .filter(({ outcome }) => outcome === 'unknown')
        .map(({ status, error }) => (status > 0 ? String(status) : (error ?? 'none'))),
    ),
    faults: countByName(faults.map(({ name }) => name)),
  };
}
