import { createBatches } from '../../database/batches.ts';
import { hourMs } from '../../time.ts';
import type { Observer } from '../base/index.ts';
import type { Delivery } from './messenger.ts';
import { type LeasedNotice, leaseMs, type NoticeQueue } from './queue.ts';

type Attempted = { row: LeasedNotice; attempt: Delivery; giveUpAfterMs: number | undefined };

/** After this time a notice is given up, unless its messenger has another. */
const defaultGiveUpAfterMs = 72 * hourMs;

/**
 * Returns a function that records the result of a delivery immediately, so a process that dies repeats few of them. Results
 * that arrive during a write are written together.
 */
export function createDeliveryResults(queue: NoticeQueue, observer: Pick<Observer, 'delivered'>) {
  const { submit } = createBatches({ run: write }, { running: 1, waitingMs: leaseMs });

  async function write(attempted: Attempted[]): Promise<Attempted[]> {
    await queue.markSent(attempted.filter(({ attempt }) => attempt.outcome === 'sent').map(({ row }) => row));
    for (const one of attempted) await writeUnsent(one);
    return attempted;
  }

  async function writeUnsent({
    row,
    attempt,
    giveUpAfterMs = defaultGiveUpAfterMs,
  }: Attempted): Promise<void> {
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

  return async function record(row: LeasedNotice, attempt: Delivery, giveUpAfterMs?: number): Promise<void> {
    await submit({ row, attempt, giveUpAfterMs });
  };
}
