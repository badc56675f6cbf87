import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Observer } from '../observer.ts';
import type { SecretRequest } from '../requests/request.ts';
import { backoffMs } from './backoff.ts';
import { createDeliveryResults } from './deliveryResults.ts';
import { type Delivery, type Messengers, type Notice, noticeId } from './messenger.ts';
import { isRequestEvent } from './preferences.ts';
import { type Destination, type LeasedNotice, leaseMs, type NoticeQueue } from './queue.ts';

type DeliveryDependencies = {
  queue: NoticeQueue;
  /** Opens what a notice may tell of its push. */
  describe(row: LeasedNotice & { pushId: Buffer; tokenSealed: Buffer }): {
    urlToken: string;
    name: string | null;
  };
  /** The same for a request. */
  describeRequest(id: Buffer): Promise<SecretRequest | undefined>;
  observer: Pick<Observer, 'delivered' | 'deliveryFailed'>;
};

/** Notices for one destination. */
type Batch = [LeasedNotice, ...LeasedNotice[]];

const batchSize = 20;
const concurrentDestinationsMax = 200;
/** Notices taken together that have not begun by then are put back: their lease must not end while they wait. */
const startTimeoutMs = leaseMs / 2;
const responseTimeoutMs = leaseMs / 3;
const pollMs = 250;
const quietDestinationsMax = 10_000;

/**
 * Brings notices out through messengers, at least once each. A destination gets one after the other, each written down
 * before the next, so that a process that dies has at most one of them told twice; many destinations are served side by
 * side, so that one that is slow holds up itself alone. Taken are the newest and the oldest in turns, so that neither a
 * backlog nor fresh notices starve the other. A destination that fails is left in peace for a while.
 */
export function createDelivery({ queue, describe, describeRequest, observer }: DeliveryDependencies) {
  const quietUntil = new Map<string, number>();
  const record = createDeliveryResults(queue, observer);

  /** Delivers until nothing is due or `isStopping` says so, and what was begun has ended. Gives the number of notices taken. */
  async function deliverDue(messengers: Messengers, isStopping = () => false): Promise<number> {
    const busy = new Map<string, { destination: Destination; done: Promise<void> }>();
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
    for (const [index, row] of batch.entries()) {
      const quietMs = (quietUntil.get(key) ?? 0) - performance.now();
      if (quietMs > 0 || isStopping() || performance.now() > startBefore)
        return queue.release(batch.slice(index), Math.max(0, quietMs) * (1 + Math.random() / 5));
      quietUntil.delete(key);
      const attempt = await tryOnce(messengers, row).catch((error) => failed(row, error)); // such as when its push cannot be opened
      await record(row, attempt);
    }
  }

  async function tryOnce(messengers: Messengers, row: LeasedNotice): Promise<Delivery> {
    const messenger = messengers[row.messenger];
    if (messenger === undefined)
      return { outcome: 'later', reason: `${row.messenger} is not set up`, afterMs: backoffMs(row.attempts) };
    const notice = await noticeOf(row);
    if (notice === undefined) return { outcome: 'never', reason: 'what it is about is gone' };
    // asked as late as can be: it may have been written, or taken, before they parted from the account
    if (isForOwner(notice) && !(await queue.isStillRecipient(row)))
      return { outcome: 'never', reason: 'is told nothing of this account any more' };
    const result = await withTimeout(messenger.deliver(row.address, notice)).catch((error) =>
      failed(row, error),
    );
    if (result.outcome !== 'later') return result;
    const afterMs = result.afterMs ?? backoffMs(row.attempts);
    if (quietUntil.size >= quietDestinationsMax) quietUntil.clear();
    quietUntil.set(keyOf(row), performance.now() + afterMs);
    return { ...result, afterMs };
  }

  function failed({ attempts }: LeasedNotice, error: unknown): Delivery {
    observer.deliveryFailed(error);
    return { outcome: 'later', reason: 'failed on our side', afterMs: backoffMs(attempts) };
  }

  async function noticeOf(row: LeasedNotice): Promise<Notice | undefined> {
    const { event, pushId, times, happenedAt, kind, tokenSealed, viewsMax, viewsUsed, expiresAt } = row;
    const base = { id: noticeId(row.id), times, happenedAt, attempt: row.attempts };
    if (isRequestEvent(event)) {
      const request = row.requestId === null ? undefined : await describeRequest(row.requestId);
      return request && { ...base, event, request };
    }
    if (pushId === null || kind === null || tokenSealed === null) return undefined;
    const { urlToken, name } = describe({ ...row, pushId, tokenSealed });
    return {
      ...base,
      event,
      push: {
        id: pushId.toString('hex'),
        urlToken,
        urlTokenSha256: createHash('sha256').update(urlToken).digest('hex'),
        name: event === 'shared' ? null : name, // it is for the owner alone
        kind,
        viewsMax,
        viewsUsed,
        createdAt: row.pushCreatedAt,
        expiresAt,
      },
    };
  }

  return { deliverDue };
}

/** Whether a notice is for whoever hears of an account's pushes, and not for the very person at its address. */
const isForOwner = ({ event }: Notice) => event !== 'shared' && !isRequestEvent(event);

const keyOf = ({ messenger, address }: Destination) => `${messenger} ${address}`;

function groupByDestination(taken: LeasedNotice[]): Batch[] {
  const bundles = new Map<string, Batch>();
  for (const row of taken) {
    const bundle = bundles.get(keyOf(row));
    if (bundle === undefined) bundles.set(keyOf(row), [row]);
    else bundle.push(row);
  }
  return [...bundles.values()];
}

/** A messenger that never answers must not keep its destination for ever. */
async function withTimeout(delivery: Promise<Delivery>): Promise<Delivery> {
  const settled = new AbortController();
  const timedOut: Delivery = { outcome: 'later', reason: 'no answer in time' };
  const waiting = sleep(responseTimeoutMs, timedOut, { ref: false, signal: settled.signal }).catch(
    () => timedOut,
  );
  return Promise.race([delivery, waiting]).finally(() => settled.abort());
}
