import { hourMs } from '../../time.ts';
import type { Observer } from '../observer.ts';
import type { LeasedNotice } from './leasedNotice.ts';
import type { Delivery } from './messenger.ts';
import type { NoticeQueue } from './queue.ts';

type Attempted = { row: LeasedNotice; attempt: Delivery };

/** After this time a notice is given up, whatever the messenger reports. */
const giveUpAfterMs = 72 * hourMs;

/**
 * Records the results of deliveries immediately, so a process that dies repeats few of them. Results that arrive
 * during a write are written together.
 */
export function createDeliveryResults(queue: NoticeQueue, observer: Pick<Observer, 'delivered'>) {
  let waiting: Attempted[] = [];
  let writing: Promise<void> | undefined;

  async function record(row: LeasedNotice, attempt: Delivery): Promise<void> {
    waiting.push({ row, attempt });
    writing ??= writeAll();
    return writing;
  }

  async function writeAll(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const attempted = waiting;
        waiting = [];
        await write(attempted);
      }
    } finally {
      // Immediately: a caller in the next turn must not believe that this is still writing.
      writing = undefined;
    }
  }

  async function write(attempted: Attempted[]): Promise<void> {
    await queue.markSent(attempted.filter(({ attempt }) => attempt.outcome === 'sent').map(({ row }) => row));
    for (const { row, attempt } of attempted) await writeUnsent(row, attempt);
  }

  async function writeUnsent(row: LeasedNotice, attempt: Delivery): Promise<void> {
    if (attempt.outcome === 'later') {
      const afterMs = attempt.afterMs ?? 0;
      const isGivenUp = row.now + afterMs - row.createdAt > giveUpAfterMs;
      observer.delivered(isGivenUp ? 'given_up' : 'later');
      if (isGivenUp) await queue.markFailed(row, attempt.reason);
      else await queue.postpone(row, afterMs, attempt.reason);
      return;
    }
    observer.delivered(attempt.outcome);
    if (attempt.outcome === 'never') await queue.markFailed(row, attempt.reason);
  }

  return record;
}
