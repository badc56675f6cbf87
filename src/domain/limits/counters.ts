import { randomInt } from 'node:crypto';
import { idOfName } from '../../crypto/ids.ts';
import type { Database } from '../../database/database.ts';
import type { Rate } from '../base/index.ts';
import { tooMany } from './refusals.ts';
import { createTallies, pointUnit } from './tallies.ts';

export type Counters = ReturnType<typeof createCounters>;

const cachedMax = 10_000;

/**
 * Counters in the service's database, shared by all processes. Each use is counted by an atomic statement, and the value
 * it returns decides. Throws `too_many` with the seconds to wait; each process caches its own refusals until then.
 */
export function createCounters(database: Database) {
  const { select, execute, dialect, deleteInBatches } = database;
  const { add } = createTallies(database);
  const refusedUntil = new Map<string, number>();

  /** Returns how much of its rate a counter has left. */
  async function remaining(key: string, { points, seconds }: Rate): Promise<number> {
    return Math.max(0, points - (await add(key, 0, seconds)).points);
  }

  /** Takes one point back, unless its window has passed. */
  async function refund(key: string, window: number): Promise<void> {
    const sql = `UPDATE rate_limits SET tally = tally - ${pointUnit}
      WHERE id = $id AND tally >= ${pointUnit} AND tally % ${pointUnit} = $window`;
    await execute(sql, { id: idOfName(key), window });
  }

  /** Sets a counter's points and window, whatever they were. */
  async function set(key: string, points: number, seconds: number): Promise<void> {
    await add(key, 0, seconds);
    const sql = `UPDATE rate_limits SET tally = $tally, expires_at = ${dialect.now} + $ms WHERE id = $id`;
    await execute(sql, { id: idOfName(key), tally: newTally(points), ms: seconds * 1000 });
  }

  async function secondsLeft(key: string): Promise<number> {
    const [row] = await select<{ ms: number }>(
      `SELECT expires_at - ${dialect.now} AS ms FROM rate_limits WHERE id = $id AND tally >= ${pointUnit}`,
      { id: idOfName(key) },
    );
    return Math.max(0, Math.ceil(Number(row?.ms ?? 0) / 1000));
  }

  /**
   * Counts one use, and returns how many are left. Throws `too_many` once the rate is exceeded, until the window ends;
   * or for `blockSeconds` from then on.
   */
  async function consume(key: string, { points, seconds }: Rate, blockSeconds?: number): Promise<number> {
    const cached = cachedSeconds(key);
    if (cached > 0) throw tooMany(cached);
    const count = await add(key, 1, seconds);
    if (count.points <= points) return points - count.points;
    if (blockSeconds !== undefined && count.points === points + 1) await set(key, points + 1, blockSeconds);
    const wait = Math.max(1, await secondsLeft(key));
    cache(key, wait);
    throw tooMany(wait);
  }

  /**
   * Counts one use while `work` runs, and keeps the count if it returns false. Tells `work` how many uses are left.
   * Throws `too_many` if the rate is exceeded.
   */
  async function hold(key: string, rate: Rate, work: (left: number) => Promise<boolean>): Promise<boolean> {
    const { points, window } = await add(key, 1, rate.seconds);
    let isCounted = false;
    try {
      if (points > rate.points) throw tooMany(Math.max(1, await secondsLeft(key)));
      isCounted = !(await work(rate.points - points));
      return !isCounted;
    } finally {
      if (!isCounted) await refund(key, window);
    }
  }

  /** Blocks a key for this long, whatever its counter says. */
  async function block(key: string, seconds: number): Promise<void> {
    await set(blockKey(key), 1, seconds);
    cache(blockKey(key), seconds);
  }

  /** Returns true to the first of several concurrent calls. */
  async function isFirstToBlock(key: string, seconds: number): Promise<boolean> {
    return (await add(blockKey(key), 1, seconds)).points === 1;
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

  return { add, remaining, consume, hold, block, isFirstToBlock, requireUnblocked, purge };
}

const blockKey = (key: string) => `block ${key}`;

/** The tally of a window that begins. */
function newTally(points: number): number {
  return points * pointUnit + randomInt(pointUnit);
}
