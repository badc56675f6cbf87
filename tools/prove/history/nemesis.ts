import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../../test/harness/debian.ts';
import type { ClockShift } from '../../../test/harness/shiftedClock.ts';
import { until } from '../../../test/harness/until.ts';
import type { Cluster, ClusterProcess } from './cluster.ts';
import type { Random } from './random.ts';
import type { HistoryRecord, RecordedFault } from './record.ts';

/** Causes a fault and heals it. Returns what it did, in a few words. */
export type Fault = (cluster: Cluster, random: Random) => Promise<string>;

const longestPauseMs = 1_500;
const commitWaitMs = 5_000;
const clockShifts: ClockShift[] = ['+2h', '-2h'];

/** Kills a process and starts its successor a little later. */
async function replace(process: ClusterProcess, random: Random): Promise<string> {
  await process.kill9();
  await sleep(random.integer(0, 500));
  await process.start();
  return process.name;
}

async function freeze(pid: number, random: Random): Promise<string> {
  const ms = random.integer(500, 3_000);
  process.kill(pid, 'SIGSTOP');
  await sleep(ms);
  process.kill(pid, 'SIGCONT');
  return `${ms} ms`;
}

const databaseProxies = ({ processes }: Cluster) =>
  processes.flatMap(({ databaseProxy }) => (databaseProxy === undefined ? [] : [databaseProxy]));

/** Faults that need no database server. */
const processFaults: Record<string, Fault> = {
  'kill-web': ({ webs }, random) => replace(random.pick(webs), random),
  'kill-worker': ({ workers }, random) => replace(random.pick(workers), random),
  async 'kill-all'({ processes }, random) {
    await Promise.all(processes.map((process) => process.kill9()));
    await sleep(random.integer(0, longestPauseMs));
    await Promise.all(processes.map((process) => process.start()));
    return `${processes.length} processes`;
  },
  'freeze-web': ({ webs }, random) => freeze(random.pick(webs).pid(), random),
  'freeze-worker': ({ workers }, random) => freeze(random.pick(workers).pid(), random),
  async 'cut-clients'({ webs }, random) {
    const web = random.pick(webs);
    web.clientProxy.cut();
    return web.name;
  },
  async 'silence-clients'({ webs }, random) {
    const web = random.pick(webs);
    web.clientProxy.silence();
    await sleep(random.integer(200, 2_000));
    web.clientProxy.cut();
    web.clientProxy.resume();
    return web.name;
  },
};

/** An embedded database has the clock of each process, and processes on one machine have the same one. */
const clockFaults: Record<string, Fault> = {
  async 'shift-clock'({ processes }, random) {
    const shifted = random.pick(processes);
    const shift = random.pick(clockShifts);
    await shifted.kill9();
    await shifted.start(shift);
    return `${shifted.name} by ${shift}`;
  },
};

/** Faults of a database server. */
const serverFaults: Record<string, Fault> = {
  async 'kill-database'({ database }, random) {
    const node = random.pick(database.nodes);
    await node.kill9();
    await sleep(random.integer(0, longestPauseMs));
    await node.restart();
    return `node ${database.nodes.indexOf(node) + 1}`;
  },
  'freeze-database': ({ database }, random) => freeze(random.pick(database.nodes).pid, random),
};

/** Faults of the way to a database server. */
const connectionFaults: Record<string, Fault> = {
  async 'cut-database'(cluster, random) {
    random.pick(databaseProxies(cluster)).cut();
    return 'one process';
  },
  async 'silence-database'(cluster, random) {
    const proxy = random.pick(databaseProxies(cluster));
    proxy.silence();
    await sleep(random.integer(200, 3_000));
    if (random.chance(0.5)) proxy.cut();
    proxy.resume();
    return 'one process';
  },
  async 'lose-commit'({ commitFault }, random) {
    const count = random.integer(1, 5);
    const before = commitFault.lost();
    commitFault.arm(count);
    await until(() => commitFault.lost() >= before + count, commitWaitMs).catch(() => {}); // when hardly any commits
    commitFault.disarm();
    return `${commitFault.lost() - before} replies`;
  },
};

/** Faults that no client of a living process may notice: no response says that the service is unavailable. */
export const hiddenFaults = ['kill-web', 'kill-worker', 'kill-all'];

/** The faults that this cluster can suffer, by name. */
export function faultsOf({ database }: Pick<Cluster, 'database'>): Record<string, Fault> {
  const isEmbedded = database.urls[0]?.startsWith('sqlite:');
  return {
    ...processFaults,
    ...(database.nodes.length > 0 ? serverFaults : {}),
    ...(isEmbedded ? {} : connectionFaults),
    ...(!isEmbedded && findProgram('faketime') !== undefined ? clockFaults : {}),
  };
}

type NemesisOptions = {
  cluster: Cluster;
  record: HistoryRecord;
  random: Random;
  /** The only faults to cause. */
  names: string[];
  /** Faults of what is beside the cluster. */
  more?: Record<string, Fault>;
};

/**
 * Causes one fault after the other, all kinds in turns, until it is stopped and each was caused once. The last one is
 * healed before it returns.
 */
export async function torment(
  { cluster, record, random, names, more }: NemesisOptions,
  isStopped: () => boolean,
): Promise<void> {
  const faults = { ...faultsOf(cluster), ...more };
  const missing = new Set(names);
  for (let bag: string[] = []; missing.size > 0 || !isStopped(); ) {
    if (bag.length === 0) bag = random.shuffle(names);
    const name = bag.pop() ?? '';
    const fault: RecordedFault = {
      name,
      startedAt: Date.now(),
      endedAt: Number.POSITIVE_INFINITY,
      detail: '',
    };
    record.faults.push(fault);
    fault.detail = (await faults[name]?.(cluster, random)) ?? '';
    fault.endedAt = Date.now();
    missing.delete(name);
    await sleep(random.integer(0, longestPauseMs));
  }
}
