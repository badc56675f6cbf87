import type { Observer } from '../observer.ts';
import type { Delivery } from './messenger.ts';
import type { Leased, Leases } from './queue.ts';

/** How an attempt ended: as its messenger says, or given up after three days of trying. */
export type DeliveryResult = Delivery['outcome'] | 'given_up';

type Ended = { row: Leased; attempt: Delivery };

const givenUpMs = 72 * 3_600_000;

/**
 * Writes down at once what became of notices, so that a process that dies has few of them told twice; those that end
 * while that is under way are written down together.
 */
export function createSettling(leases: Leases, observer: Pick<Observer, 'delivered'>) {
  let waiting: Ended[] = [];
  let writing: Promise<void> | undefined;

  async function settle(row: Leased, attempt: Delivery): Promise<void> {
    waiting.push({ row, attempt });
    writing ??= writeAll();
    return writing;
  }

  async function writeAll(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const ended = waiting;
        waiting = [];
        await write(ended);
      }
    } finally {
      writing = undefined; // at once: who comes in the next turn must not believe that this goes on
    }
  }

  async function write(ended: Ended[]): Promise<void> {
    await leases.sent(ended.filter(({ attempt }) => attempt.outcome === 'sent').map(({ row }) => row));
    for (const { row, attempt } of ended) await writeTried(row, attempt);
  }

  async function writeTried(row: Leased, attempt: Delivery): Promise<void> {
    if (attempt.outcome === 'later') {
      const afterMs = attempt.afterMs ?? 0;
      const isHopeless = row.now + afterMs - row.createdAt > givenUpMs;
      observer.delivered(isHopeless ? 'given_up' : 'later');
      if (isHopeless) await leases.end(row, attempt.reason);
      else await leases.postpone(row, afterMs, attempt.reason);
      return;
    }
    observer.delivered(attempt.outcome);
    if (attempt.outcome === 'never') await leases.end(row, attempt.reason);
  }

  return settle;
}
