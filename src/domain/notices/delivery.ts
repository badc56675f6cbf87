import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../errors.ts';
import { withinTime } from '../../timeLimit.ts';
import type { Observer } from '../observer.ts';
import type { NoticeAddress } from './address.ts';
import { backoffMs } from './backoff.ts';
import type { IsDeliverable } from './deliverable.ts';
import { createDeliveryResults } from './deliveryResults.ts';
import type { LeasedNotice } from './leasedNotice.ts';
import type { Delivery, Messengers } from './messenger.ts';
import type { NoticeReader } from './noticeReader.ts';
import { leaseMs, type NoticeQueue } from './queue.ts';

type DeliveryDependencies = {
  queue: NoticeQueue;
  readNotice: NoticeReader;
  isDeliverable: IsDeliverable;
  observer: Pick<Observer, 'delivered' | 'deliveryFailed'>;
};

/** Notices for one destination. */
type Batch = [LeasedNotice, ...LeasedNotice[]];

const batchSize = 20;
const concurrentDestinationsMax = 200;
/** Notices of a batch that have not started by then are released: their lease must not end while they wait. */
const startTimeoutMs = leaseMs / 2;
const responseTimeoutMs = leaseMs / 3;
const pollMs = 250;
const quietDestinationsMax = 10_000;

/**
 * Delivers notices through messengers, at least once each. A destination gets one notice after the other. Each result
 * is recorded before the next attempt, so a process that dies repeats at most one of them. Many destinations are served
 * at the same time, so a slow one delays only itself. Leases alternate between the newest and the oldest notices, so
 * that neither a backlog nor new notices starve. A destination that fails gets a pause.
 */
export function createDelivery({ queue, readNotice, isDeliverable, observer }: DeliveryDependencies) {
  const quietUntil = new Map<string, number>();
  const record = createDeliveryResults(queue, observer);

  /**
   * Delivers until nothing is due or `isStopping` returns true, and waits for what was started. Returns the number of
   * leased notices.
   */
  async function deliverDue(messengers: Messengers, isStopping = () => false): Promise<number> {
    const busy = new Map<string, { destination: NoticeAddress; done: Promise<void> }>();
    const problems: unknown[] = [];
    let total = 0;

    function start(batch: Batch): void {
      const [destination] = batch;
      const key = keyOf(destination);
      const done = deliverTo(messengers, batch, isStopping)
        .catch((error) => void problems.push(error))
        .finally(() => busy.delete(key));
      busy.set(key, { destination, done });
    }

    async function startNext(turn: number): Promise<number> {
      if (busy.size >= concurrentDestinationsMax) return 0;
      const except = [...busy.values()].map(({ destination }) => destination);
      const leased = await queue.lease(batchSize, turn % 2 === 0 ? 'DESC' : 'ASC', except);
      groupByDestination(leased).forEach(start);
      return leased.length;
    }

    try {
      for (let turn = 0; !isStopping() && problems.length === 0; turn++) {
        const wasIdle = busy.size === 0;
        const started = await startNext(turn);
        total += started;
        if (started > 0) continue;
        if (wasIdle) break;
        await Promise.race([...[...busy.values()].map(({ done }) => done), sleep(pollMs)]);
      }
    } finally {
      await Promise.all([...busy.values()].map(({ done }) => done));
    }
    if (problems.length > 0) throw problems[0];
    return total;
  }

  async function deliverTo(messengers: Messengers, batch: Batch, isStopping: () => boolean): Promise<void> {
    const key = keyOf(batch[0]);
    const startBefore = performance.now() + startTimeoutMs;
    const requestedFirst = batch.toSorted((a, b) => Number(b.isRequested) - Number(a.isRequested));
    for (const [index, row] of requestedFirst.entries()) {
      const quietMs = row.isRequested ? 0 : (quietUntil.get(key) ?? 0) - performance.now();
      if (quietMs > 0 || isStopping() || performance.now() > startBefore)
        return queue.release(requestedFirst.slice(index), Math.max(0, quietMs) * (1 + Math.random() / 5));
      quietUntil.delete(key);
      // It throws when the push cannot be decrypted, for example.
      const attempt = await tryOnce(messengers, row).catch((error) => failed(row, error));
      await record(row, attempt);
    }
  }

  async function tryOnce(messengers: Messengers, row: LeasedNotice): Promise<Delivery> {
    const messenger = messengers[row.messenger];
    if (messenger === undefined)
      return { outcome: 'later', reason: `${row.messenger} is not set up`, afterMs: backoffMs(row.attempts) };
    const notice = await readNotice(row);
    if (notice === undefined) return { outcome: 'never', reason: 'the subject no longer exists' };
    // Checked as late as possible: the notice may have been written, or leased, before the address was unlinked.
    if (!(await isDeliverable(row)))
      return { outcome: 'never', reason: 'unlinked, or the account is disabled' };
    const result = await inTime(messenger.deliver(row.address, notice)).catch((error) => failed(row, error));
    if (result.outcome !== 'later') return result;
    const afterMs = result.afterMs ?? backoffMs(row.attempts);
    if (quietUntil.size >= quietDestinationsMax) quietUntil.clear();
    quietUntil.set(keyOf(row), performance.now() + afterMs);
    return { ...result, afterMs };
  }

  function failed({ attempts }: LeasedNotice, error: unknown): Delivery {
    observer.deliveryFailed(error);
    return { outcome: 'later', reason: problemOf(error), afterMs: backoffMs(attempts) };
  }

  return { deliverDue };
}

function problemOf(error: unknown): string {
  const code = error instanceof DomainError ? error.messageCode : undefined;
  if (code === 'keyMissing') return 'its master key is missing';
  return code === 'recordDamaged' ? 'its record is damaged' : 'internal error';
}

const keyOf = ({ messenger, address }: NoticeAddress) => `${messenger} ${address}`;

function groupByDestination(leased: LeasedNotice[]): Batch[] {
  const batches = new Map<string, Batch>();
  for (const row of leased) {
    const batch = batches.get(keyOf(row));
    if (batch === undefined) batches.set(keyOf(row), [row]);
    else batch.push(row);
  }
  return [...batches.values()];
}

/** A messenger that never responds must not block its destination forever. */
async function inTime(delivery: Promise<Delivery>): Promise<Delivery> {
  const response = await withinTime(delivery, responseTimeoutMs);
  return response?.value ?? { outcome: 'later', reason: 'no response in time' };
}
