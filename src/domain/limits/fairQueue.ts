import { unavailable } from '../../errors.ts';
import { tooMany } from './refusals.ts';

/** How many jobs run at once, how many may wait, in all and of one client, and for how long. */
export type QueueLimits = { running: number; waiting: number; waitingPerClient: number; waitingMs: number };

/** Whom a job is for. `isGone` returns whether the client has disconnected, so that nobody waits for the result. */
export type QueueClient = { key: string; isGone?: (() => boolean) | undefined };

type Job = { start: () => void };

/**
 * Runs jobs for clients who take turns: each has one job running at most, and one that has just finished goes behind all
 * others. So whoever arrives waits for one job of each other client, however many those have. Throws `too_many` for a
 * client with too many jobs, and `unavailable` when too many jobs wait, or one for too long. A job whose client has
 * disconnected is dropped.
 */
export function createFairQueue(limits: QueueLimits) {
  /** The clients with waiting jobs; those whose turn comes first are in front. */
  const lines = new Map<string, Job[]>();
  const busy = new Set<string>();
  let waiting = 0;
  let started = 0;

  async function run<T>(client: QueueClient, work: () => Promise<T>): Promise<T> {
    requireRoom(client);
    const { key, isGone } = client;
    if (canStart(key)) busy.add(key);
    else await turn(key);
    try {
      if (isGone?.()) throw tooMany(1);
      started += 1;
      return await work();
    } finally {
      busy.delete(key);
      moveToBack(key);
      startNext();
    }
  }

  const canStart = (key: string) => busy.size < limits.running && !busy.has(key);

  /** Throws if `run` would refuse a job of this client now. */
  function requireRoom({ key }: QueueClient): void {
    if (canStart(key)) return;
    if ((lines.get(key)?.length ?? 0) >= limits.waitingPerClient) throw tooMany(1);
    if (waiting >= limits.waiting) throw tooBusy();
  }

  /** Resolves when it is the turn of a job of this client. */
  function turn(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        remove(key, job);
        reject(tooBusy());
      }, limits.waitingMs).unref();
      const job: Job = {
        start() {
          clearTimeout(timer);
          resolve();
        },
      };
      lines.set(key, [...(lines.get(key) ?? []), job]);
      waiting += 1;
    });
  }

  function startNext(): void {
    for (const [key, [job]] of lines) {
      if (busy.size >= limits.running) return;
      if (job === undefined || busy.has(key)) continue;
      busy.add(key);
      remove(key, job);
      job.start();
    }
  }

  function remove(key: string, job: Job): void {
    const rest = (lines.get(key) ?? []).filter((one) => one !== job);
    if (rest.length === 0) lines.delete(key);
    else lines.set(key, rest);
    waiting -= 1;
  }

  function moveToBack(key: string): void {
    const line = lines.get(key);
    if (line === undefined) return;
    lines.delete(key);
    lines.set(key, line);
  }

  return {
    run,
    requireRoom,
    /** How many jobs have started so far, and how many run and wait now. */
    counts: () => ({ started, running: busy.size, waiting }),
  };
}

function tooBusy() {
  return unavailable('tooManyPasswordChecks', undefined, 2);
}
