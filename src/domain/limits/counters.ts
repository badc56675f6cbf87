import { createHash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Rate } from '../settings.ts';

export type Counters = ReturnType<typeof createCounters>;

const cachedMax = 10_000;

/**
 * Counters in the service's database, shared by all processes. Each count is one atomic statement, and the value it
 * returns decides. Throws `too_many` with the seconds to wait; each process caches its own refusals until then.
 */
export function createCounters({ select, execute, insertReturning, withRetries, ...database }: Database) {
  const { dialect, deleteInBatches } = database;
  const refusedUntil = new Map<string, number>();

  /** Adds points to a counter and returns its points. The counter restarts when its window has passed. */
  async function add(key: string, points: number, seconds: number): Promise<number> {
    const isOver = `rate_limits.expires_at <= ${dialect.now}`;
    return withRetries(() =>
      insertReturning(
        (returning) =>
          `INSERT INTO rate_limits (id, points, expires_at) VALUES ($id, ${returning('$points')}, ${dialect.now} + $ms)
           ${dialect.onConflict('id')}
             points = ${returning(`CASE WHEN ${isOver} THEN $points ELSE rate_limits.points + $points END`)},
             expires_at = CASE WHEN ${isOver} THEN ${dialect.now} + $ms ELSE rate_limits.expires_at END`,
        'points',
        { id: idOf(key), points, ms: seconds * 1000 },
      ),
    );
  }

  /** Returns how much of its rate a counter has left. */
  async function remaining(key: string, { points, seconds }: Rate): Promise<number> {
    return Math.max(0, points - (await add(key, 0, seconds)));
  }

  async function refund(key: string): Promise<void> {
    const sql = 'UPDATE rate_limits SET points = points - 1 WHERE id = $id AND points > 0';
    await withRetries(() => execute(sql, { id: idOf(key) }));
  }

  /** Sets a counter's points and window, whatever they were. */
  async function set(key: string, points: number, seconds: number): Promise<void> {
    await add(key, 0, seconds);
    const sql = `UPDATE rate_limits SET points = $points, expires_at = ${dialect.now} + $ms WHERE id = $id`;
    await withRetries(() => execute(sql, { id: idOf(key), points, ms: seconds * 1000 }));
  }

  async function secondsLeft(key: string): Promise<number> {
    const [row] = await select<{ ms: number }>(
      `SELECT expires_at - ${dialect.now} AS ms FROM rate_limits WHERE id = $id AND points > 0`,
      { id: idOf(key) },
    );
    return Math.max(0, Math.ceil(Number(row?.ms ?? 0) / 1000));
  }

  /** Counts one use. Throws `too_many` once the rate is exceeded, until the window ends. */
  async function consume(key: string, { points, seconds }: Rate): Promise<void> {
    const cached = cachedSeconds(key);
    if (cached > 0) throw tooMany(cached);
    if ((await add(key, 1, seconds)) <= points) return;
    const wait = Math.max(1, await secondsLeft(key));
    cache(key, wait);
    throw tooMany(wait);
  }

  /**
   * Counts one use while `work` runs, and keeps the count if it returns false. Throws `too_many` if the rate is
   * exceeded.
   */
  async function hold(key: string, rate: Rate, work: () => Promise<boolean>): Promise<boolean> {
    let isCounted = false;
    try {
      if ((await add(key, 1, rate.seconds)) > rate.points) throw tooMany(Math.max(1, await secondsLeft(key)));
      isCounted = !(await work());
      return !isCounted;
    } finally {
      if (!isCounted) await refund(key);
    }
  }

  /** Blocks a key for this long, whatever its counter says. */
  async function block(key: string, seconds: number): Promise<void> {
    await set(blockKey(key), 1, seconds);
    cache(blockKey(key), seconds);
  }

  /** Returns true to the first of several concurrent calls. */
  async function isFirstToBlock(key: string, seconds: number): Promise<boolean> {
    return (await add(blockKey(key), 1, seconds)) === 1;
  }

  async function requireUnblocked(key: string): Promise<void> {
    const seconds = cachedSeconds(blockKey(key)) || (await secondsLeft(blockKey(key)));
    if (seconds > 0) throw tooMany(seconds);
  }

  function cache(key: string, seconds: number): void {
    if (refusedUntil.size > cachedMax) refusedUntil.clear();
    refusedUntil.set(key, performance.now() + seconds * 1000);
  }

  function cachedSeconds(key: string): number {
    const until = refusedUntil.get(key);
    if (until === undefined) return 0;
    const seconds = Math.ceil((until - performance.now()) / 1000);
    if (seconds <= 0) refusedUntil.delete(key);
    return Math.max(0, seconds);
  }

  /** Deletes counters whose window has passed. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('rate_limits', 'expires_at', dialect.now, isStopping);

  return { add, remaining, set, consume, hold, block, isFirstToBlock, requireUnblocked, purge };
}

export function tooMany(retryAfterSeconds: number): DomainError {
  return new DomainError('too_many', 'tooManyRequests', {
    values: { seconds: retryAfterSeconds },
    retryAfterSeconds,
  });
}

const blockKey = (key: string) => `block ${key}`;

function idOf(key: string): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 16);
}
