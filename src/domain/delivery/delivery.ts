import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../errors.ts';
import { withinTime } from '../../retry.ts';
import type { Observer } from '../base/index.ts';
import { subjectEnded } from '../mail/index.ts';
import type { NoticeAddress } from '../people/index.ts';
import type { DeliverableCheck } from './deliverable.ts';
import { createDeliveryResults } from './deliveryResults.ts';
import type { Delivery, Messengers } from './messenger.ts';
import type { NoticeReader } from './noticeReader.ts';
import { backoffMs, createPauses } from './pauses.ts';
import { type LeasedNotice, leaseMs, type NoticeQueue } from './queue.ts';
import type { createRates } from './rates.ts';

type DeliveryDependencies = {
  queue: NoticeQueue;
  rates: ReturnType<typeof createRates>;
  readNotice: NoticeReader;
  checkDeliverable: DeliverableCheck;
  observer: Pick<Observer, 'delivered' | 'deliveryFailed'>;
};

/** Notices for one destination, or about one subject. */
type Batch = [LeasedNotice, ...LeasedNotice[]];

const batchSize = 20;
const concurrentDestinationsMax = 200;
/** Notices of a batch that have not started by then are released: their lease must not end while they wait. */
const startTimeoutMs = leaseMs / 2;
const responseTimeoutMs = leaseMs / 3;
const pollMs = 250;

/**
 * Delivers notices through messengers, at least once each. A destination gets the notices of a push one after the other,
 * and as many pushes at once as its messenger allows. Each result is recorded before the next attempt, so a process that
 * dies repeats at most those. Many destinations are served at the same time, so a slow one delays only itself. Leases
 * alternate between the newest and the oldest notices, so that neither a backlog nor new notices starve. A notice that
 * fails waits, and those of its push behind it; a destination that is down gets a pause, and so does a messenger that is
 * down altogether, or has had as many notices as its rate allows.
 */
export function createDelivery({
  queue,
  rates,
  readNotice,
  checkDeliverable,
  observer,
}: DeliveryDependencies) {
  const pauses = createPauses();
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
      const destinations = [...busy.values()].map(({ destination }) => destination);
      const closed = Object.entries(messengers).filter(
        ([name, { addressesMax = concurrentDestinationsMax }]) =>
          quietMsOf(name) > 0 ||
          destinations.filter(({ messenger }) => messenger === name).length >= addressesMax,
      );
      const except = { destinations, messengers: closed.map(([name]) => name) };
      const leased = await queue.lease(batchSize, turn % 2 === 0 ? 'DESC' : 'ASC', except);
      groupBy(leased, keyOf).forEach(start);
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

  /** How long no address of a messenger gets anything. */
  const quietMsOf = (messenger: string) => Math.max(pauses.quietMs(messenger), rates.quietMs(messenger));

  async function deliverTo(messengers: Messengers, batch: Batch, isStopping: () => boolean): Promise<void> {
    const [{ messenger: name }] = batch;
    const messenger = messengers[name];
    const key = keyOf(batch[0]);
    const startBefore = performance.now() + startTimeoutMs;
    const subjects = groupBy(batch.toSorted(requestedFirst), subjectOf);
    const unstarted: LeasedNotice[] = [];

    const mayStart = ({ isRequested }: LeasedNotice) =>
      (isRequested || pauses.quietMs(key) === 0) &&
      quietMsOf(name) === 0 &&
      !isStopping() &&
      performance.now() <= startBefore;

    async function deliverInOrder(rows: LeasedNotice[]): Promise<void> {
      for (const [index, row] of rows.entries()) {
        if (!mayStart(row) || !(await rates.take(name, messenger?.rate)))
          return void unstarted.push(...rows.slice(index));
        // It throws when the push cannot be decrypted, for example.
        const attempt = await tryOnce(messengers, row).catch((error) => failed(row, error));
        await record(row, attempt, messenger?.giveUpAfterMs);
        if (attempt.outcome === 'later') return queue.release(rows.slice(index + 1), attempt.afterMs ?? 0);
      }
    }

    async function deliverNext(): Promise<void> {
      for (let rows = subjects.shift(); rows !== undefined; rows = subjects.shift())
        await deliverInOrder(rows);
    }

    const ended = await Promise.allSettled(Array.from({ length: messenger?.parallel ?? 1 }, deliverNext));
    const problem = ended.find((lane) => lane.status === 'rejected');
    if (problem !== undefined) throw problem.reason;
    const quietMs = Math.max(pauses.quietMs(key), quietMsOf(name));
    await queue.release(unstarted, quietMs * (1 + Math.random() / 5));
  }

  async function tryOnce(messengers: Messengers, row: LeasedNotice): Promise<Delivery> {
    const messenger = messengers[row.messenger];
    if (messenger === undefined)
      return { outcome: 'later', reason: `${row.messenger} is not set up`, afterMs: backoffMs(row.attempts) };
    const notice = await readNotice(row);
    if (notice === undefined) return { outcome: 'never', reason: subjectEnded };
    // Checked as late as possible: the notice may have been written, or leased, before the address was unlinked.
    const reason = await checkDeliverable(row);
    if (reason !== undefined) return { outcome: 'never', reason };
    const result = await inTime(messenger.deliver(row.address, notice)).catch(thrown);
    if (result.outcome !== 'later') {
      pauses.succeeded(keyOf(row));
      pauses.succeeded(row.messenger);
      return result;
    }
    pauses.failed(result.isDown ? row.messenger : keyOf(row), result.afterMs);
    return { ...result, afterMs: result.afterMs ?? backoffMs(row.attempts) };
  }

  const failed = ({ attempts }: LeasedNotice, error: unknown): Delivery => ({
    ...thrown(error),
    afterMs: backoffMs(attempts),
  });

  function thrown(error: unknown): Delivery & { outcome: 'later' } {
    observer.deliveryFailed(error);
    return { outcome: 'later', reason: problemOf(error) };
  }

  return { deliverDue };
}

function problemOf(error: unknown): string {
  const code = error instanceof DomainError ? error.messageCode : undefined;
  if (code === 'keyMissing') return 'its master key is missing';
  return code === 'recordDamaged' ? 'its record is damaged' : 'internal error';
}

const keyOf = ({ messenger, address }: NoticeAddress) => `${messenger} ${address}`;

const requestedFirst = (a: LeasedNotice, b: LeasedNotice) => Number(b.isRequested) - Number(a.isRequested);

/** What the notices that must stay in order are about. */
const subjectOf = ({ id, pushId, requestId, linkRequestId }: LeasedNotice) =>
  (pushId ?? requestId ?? linkRequestId ?? id).toString('hex');

function groupBy(rows: LeasedNotice[], keyOfRow: (row: LeasedNotice) => string): Batch[] {
  const batches = new Map<string, Batch>();
  for (const row of rows) {
    const batch = batches.get(keyOfRow(row));
    if (batch === undefined) batches.set(keyOfRow(row), [row]);
    else batch.push(row);
  }
  return [...batches.values()];
}

/** A messenger that never responds must not block its destination forever. */
async function inTime(delivery: Promise<Delivery>): Promise<Delivery> {
  const response = await withinTime(delivery, responseTimeoutMs);
  return response?.value ?? { outcome: 'later', reason: 'no response in time' };
}
