import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecretRequest } from '../chat/requests.ts';
import type { Observer } from '../observer.ts';
import { backoffMs } from './backoff.ts';
import { createSettling } from './deliveryResults.ts';
import { type Delivery, type Messengers, type Notice, noticeId } from './messenger.ts';
import { isRequestEvent } from './preferences.ts';
import { type Destination, type Leased, type Leases, leaseMs } from './queue.ts';

type Parts = {
  leases: Leases;
  /** Opens what a notice may tell of its push. */
  describe(row: Leased & { tokenSealed: Buffer }): { urlToken: string; name: string | null };
  /** The same for a request. */
  describeRequest(id: Buffer): Promise<SecretRequest | undefined>;
  observer: Pick<Observer, 'delivered' | 'deliveryFailed'>;
};

/** Notices for one destination. */
type Bundle = [Leased, ...Leased[]];

const takenAtOnce = 20;
const destinationsAtOnce = 200;
/** Notices taken together that have not begun by then are put back: their lease must not end while they wait. */
const startWithinMs = leaseMs / 2;
const answerWithinMs = leaseMs / 3;
const lookAgainMs = 250;
const remembered = 10_000;

/**
 * Brings notices out through messengers, at least once each. A destination gets one after the other, each written down
 * before the next, so that a process that dies has at most one of them told twice; many destinations are served side by
 * side, so that one that is slow holds up itself alone. Taken are the newest and the oldest in turns, so that neither a
 * backlog nor fresh notices starve the other. A destination that fails is left in peace for a while.
 */
export function createDelivery({ leases, describe, describeRequest, observer }: Parts) {
  const quietUntil = new Map<string, number>();
  const settle = createSettling(leases, observer);

  /** Delivers until nothing is due or `isStopping` says so, and what was begun has ended. Gives the number of notices taken. */
  async function deliverDue(messengers: Messengers, isStopping = () => false): Promise<number> {
    const busy = new Map<string, { destination: Destination; ending: Promise<void> }>();
    const problems: unknown[] = [];
    let total = 0;

    function begin(taken: Bundle): void {
      const [destination] = taken;
      const key = keyOf(destination);
      const ending = deliverTo(messengers, taken, isStopping)
        .catch((error) => void problems.push(error))
        .finally(() => busy.delete(key));
      busy.set(key, { destination, ending });
    }

    async function beginSome(turn: number): Promise<number> {
      if (busy.size >= destinationsAtOnce) return 0;
      const except = [...busy.values()].map(({ destination }) => destination);
      const taken = await leases.take(takenAtOnce, turn % 2 === 0 ? 'DESC' : 'ASC', except);
      byDestination(taken).forEach(begin);
      return taken.length;
    }

    try {
      for (let turn = 0; !isStopping() && problems.length === 0; turn++) {
        const wasIdle = busy.size === 0;
        const begun = await beginSome(turn);
        total += begun;
        if (begun > 0) continue;
        if (wasIdle) break;
        await Promise.race([...[...busy.values()].map(({ ending }) => ending), sleep(lookAgainMs)]);
      }
    } finally {
      await Promise.all([...busy.values()].map(({ ending }) => ending));
    }
    if (problems.length > 0) throw problems[0];
    return total;
  }

  async function deliverTo(messengers: Messengers, taken: Bundle, isStopping: () => boolean): Promise<void> {
    const key = keyOf(taken[0]);
    const startBefore = performance.now() + startWithinMs;
    for (const [index, row] of taken.entries()) {
      const quietMs = (quietUntil.get(key) ?? 0) - performance.now();
      if (quietMs > 0 || isStopping() || performance.now() > startBefore)
        return leases.putBack(taken.slice(index), Math.max(0, quietMs) * (1 + Math.random() / 5));
      quietUntil.delete(key);
      const attempt = await tryOnce(messengers, row).catch((error) => failed(row, error)); // such as when its push cannot be opened
      await settle(row, attempt);
    }
  }

  async function tryOnce(messengers: Messengers, row: Leased): Promise<Delivery> {
    const messenger = messengers[row.messenger];
    if (messenger === undefined)
      return { outcome: 'later', reason: `${row.messenger} is not set up`, afterMs: backoffMs(row.attempts) };
    const notice = await noticeOf(row);
    if (notice === undefined) return { outcome: 'never', reason: 'what it is about is gone' };
    // asked as late as can be: it may have been written, or taken, before they parted from the account
    if (isForOwner(notice) && !(await leases.isStillHeard(row)))
      return { outcome: 'never', reason: 'is told nothing of this account any more' };
    const result = await answerOf(messenger.deliver(row.address, notice)).catch((error) =>
      failed(row, error),
    );
    if (result.outcome !== 'later') return result;
    const afterMs = result.afterMs ?? backoffMs(row.attempts);
    if (quietUntil.size >= remembered) quietUntil.clear();
    quietUntil.set(keyOf(row), performance.now() + afterMs);
    return { ...result, afterMs };
  }

  function failed({ attempts }: Leased, error: unknown): Delivery {
    observer.deliveryFailed(error);
    return { outcome: 'later', reason: 'failed on our side', afterMs: backoffMs(attempts) };
  }

  async function noticeOf(row: Leased): Promise<Notice | undefined> {
    const { event, times, happenedAt, kind, tokenSealed, viewsMax, viewsUsed, expiresAt } = row;
    const told = { id: noticeId(row.id), times, happenedAt, attempt: row.attempts };
    if (isRequestEvent(event)) {
      const request = await describeRequest(row.pushId);
      return request && { ...told, event, request };
    }
    if (kind === null || tokenSealed === null) return undefined;
    const { urlToken, name } = describe({ ...row, tokenSealed });
    return {
      ...told,
      event,
      push: {
        id: row.pushId.toString('hex'),
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

function byDestination(taken: Leased[]): Bundle[] {
  const bundles = new Map<string, Bundle>();
  for (const row of taken) {
    const bundle = bundles.get(keyOf(row));
    if (bundle === undefined) bundles.set(keyOf(row), [row]);
    else bundle.push(row);
  }
  return [...bundles.values()];
}

/** A messenger that never answers must not keep its destination for ever. */
async function answerOf(answer: Promise<Delivery>): Promise<Delivery> {
  const gaveUp = new AbortController();
  const tooLate: Delivery = { outcome: 'later', reason: 'no answer in time' };
  const waiting = sleep(answerWithinMs, tooLate, { ref: false, signal: gaveUp.signal }).catch(() => tooLate);
  return Promise.race([answer, waiting]).finally(() => gaveUp.abort());
}
