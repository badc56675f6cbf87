import { createHash } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { backoffMs } from './backoff.ts';
import { type Batch, batchSize, type Leased, type Leases, leaseMs, type Order } from './leases.ts';
import { type Delivery, type Messengers, type Notice, noticeId } from './messenger.ts';

/** How an attempt ended: as its messenger says, or given up after three days of trying. */
export type DeliveryResult = Delivery['outcome'] | 'given_up';

type Parts = {
  leases: Leases;
  /** Opens what a notice may tell of its push. */
  describe(row: Leased & { tokenSealed: Buffer }): { urlToken: string; name: string | null };
  /** Told how each attempt ended, for whoever counts. */
  delivered: (result: DeliveryResult) => void;
};

/** What became of one leased notice; `unsent` says that its address asked for quiet or this process has to stop, `late` that the lease may have ended. */
type Attempt = Delivery | { outcome: 'unsent'; afterMs: number } | { outcome: 'late' };

const startWithinMs = leaseMs / 2;
const atOncePerAddress = 4;
const givenUpMs = 72 * 3_600_000;
const addressesMax = 10_000;

/**
 * Brings notices out through messengers, at least once each. While there are many, four lanes work side by side, half of
 * them on the newest and half on the oldest, so that neither a backlog nor fresh notices starve the other. An address that
 * fails is left in peace for a while.
 */
export function createDelivery({ leases, describe, delivered }: Parts) {
  const quietUntil = new Map<string, number>();
  const limits = new Map<string, LimitFunction>();

  /** Delivers until nothing is due or `isStopping` says so. Gives the number of attempts. */
  async function deliverDue(messengers: Messengers, isStopping = () => false): Promise<number> {
    async function runLane(order: Order, first: Batch): Promise<number> {
      let tried = 0;
      for (let batch = first; batch.taken.length > 0; batch = await leases.take(order)) {
        await deliverBatch(messengers, batch, isStopping);
        tried += batch.taken.length;
        if (isStopping()) break;
      }
      return tried;
    }

    const first = await leases.take('DESC');
    if (first.taken.length < batchSize) return runLane('DESC', first);
    const others: Order[] = ['ASC', 'DESC', 'ASC'];
    const tried = await Promise.all([
      runLane('DESC', first),
      ...others.map(async (order) => runLane(order, await leases.take(order))),
    ]);
    return tried.reduce((sum, each) => sum + each);
  }

  async function deliverBatch(
    messengers: Messengers,
    { lease, taken }: Batch,
    isStopping: () => boolean,
  ): Promise<void> {
    const startBefore = performance.now() + startWithinMs;
    const attempts = await Promise.all(
      taken.map(async (row) => ({ row, attempt: await tryOnce(messengers, row, startBefore, isStopping) })),
    );
    await settle(lease, attempts);
  }

  async function tryOnce(
    messengers: Messengers,
    row: Leased,
    startBefore: number,
    isStopping: () => boolean,
  ): Promise<Attempt> {
    const messenger = messengers[row.messenger];
    if (messenger === undefined)
      return { outcome: 'later', reason: `${row.messenger} is not set up`, afterMs: backoffMs(row.attempts) };
    const told = noticeOf(row);
    if (told === undefined) return { outcome: 'never', reason: 'the push is gone' };
    const to = addressOf(row);
    return limitOf(to)(async (): Promise<Attempt> => {
      if (isStopping()) return { outcome: 'unsent', afterMs: 0 };
      const quietMs = (quietUntil.get(to) ?? 0) - performance.now();
      if (quietMs > 0) return { outcome: 'unsent', afterMs: quietMs };
      quietUntil.delete(to);
      if (performance.now() > startBefore) return { outcome: 'late' };
      const result = await messenger.deliver(row.address, told.notice, told.urlToken).catch(failed);
      if (result.outcome !== 'later') return result;
      const afterMs = result.afterMs ?? backoffMs(row.attempts);
      quietUntil.set(to, Math.max(quietUntil.get(to) ?? 0, performance.now() + afterMs));
      return { ...result, afterMs };
    });
  }

  /** One that is slow to answer must not hold all lanes. */
  function limitOf(to: string): LimitFunction {
    const limit = limits.get(to) ?? pLimit(atOncePerAddress);
    if (limits.size >= addressesMax) limits.clear();
    limits.set(to, limit);
    return limit;
  }

  async function settle(lease: Buffer, attempts: { row: Leased; attempt: Attempt }[]): Promise<void> {
    const sent = attempts.filter(({ attempt }) => attempt.outcome === 'sent').map(({ row }) => row.id);
    await leases.sent(lease, sent);
    const unsent = new Map<string, { ids: Buffer[]; afterMs: number }>();
    for (const { row, attempt } of attempts) {
      if (attempt.outcome === 'unsent') {
        const ids = unsent.get(addressOf(row))?.ids ?? [];
        unsent.set(addressOf(row), { ids: [...ids, row.id], afterMs: attempt.afterMs });
      } else if (attempt.outcome !== 'late') await settleTried(lease, row, attempt);
    }
    for (const { ids, afterMs } of unsent.values())
      await leases.putBack(lease, ids, afterMs * (1 + Math.random() / 5));
  }

  async function settleTried(
    lease: Buffer,
    { id, createdAt, now }: Leased,
    attempt: Delivery,
  ): Promise<void> {
    if (attempt.outcome === 'later') {
      const afterMs = attempt.afterMs ?? 0;
      const isHopeless = now + afterMs - createdAt > givenUpMs;
      delivered(isHopeless ? 'given_up' : 'later');
      if (isHopeless) await leases.end(lease, id, attempt.reason);
      else await leases.postpone(lease, id, afterMs, attempt.reason);
      return;
    }
    delivered(attempt.outcome);
    if (attempt.outcome === 'never') await leases.end(lease, id, attempt.reason);
  }

  function noticeOf(row: Leased): { notice: Notice; urlToken: string } | undefined {
    const { kind, tokenSealed, viewsMax, viewsUsed, expiresAt } = row;
    if (kind === null || tokenSealed === null) return undefined;
    const { urlToken, name } = describe({ ...row, tokenSealed });
    const notice: Notice = {
      id: noticeId(row.id),
      event: row.event,
      times: row.times,
      happenedAt: row.happenedAt,
      attempt: row.attempts,
      push: {
        id: row.pushId.toString('hex'),
        urlTokenSha256: createHash('sha256').update(urlToken).digest('hex'),
        name,
        kind,
        viewsMax,
        viewsUsed,
        createdAt: row.pushCreatedAt,
        expiresAt,
      },
    };
    return { notice, urlToken };
  }

  return { deliverDue };
}

const addressOf = ({ messenger, address }: Leased) => `${messenger} ${address}`;

const failed = (): Delivery => ({ outcome: 'later', reason: 'failed on our side' });
