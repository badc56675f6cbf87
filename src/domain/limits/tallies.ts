import { randomInt } from 'node:crypto';
import { idOfName } from '../../crypto/ids.ts';
import { type Database, forEachRow } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';

/** A counter's points after a use was added, and the random tag of the window that the use was counted in. */
export type Count = { points: number; window: number };

type Use = { points: number; onCount: (count: Count) => void; onError: (error: unknown) => void };
/** The uses of one counter that are written together, in the order in which they are counted. */
type Addition = { id: Buffer; seconds: number; uses: Use[] };

/** A row's tally is its points times this, plus the tag of its window: one number, since MySQL returns only one. */
export const pointUnit = 2 ** 20;

/** How many counters one statement changes at most. */
const countersMax = 100;

/**
 * Adds points to counters. What arrives while others are being written is written together, in one statement; each use
 * gets the count that it would have got alone. Only one such statement runs at a time.
 */
export function createTallies({ select, insertReturning, ...database }: Database) {
  const { dialect, returnsRows } = database;
  let waiting = new Map<string, Addition>();
  let isWriting = false;

  const [tally, expiresAt] = [dialect.excluded('tally'), dialect.excluded('expires_at')];
  const isOver = `rate_limits.expires_at <= ${dialect.now}`;
  const sum = `CASE WHEN ${isOver} THEN ${tally} ELSE rate_limits.tally + ${tally} - ${tally} % ${pointUnit} END`;
  const end = `CASE WHEN ${isOver} THEN ${expiresAt} ELSE rate_limits.expires_at END`;
  const valuesOf = forEachRow(`($id, ${dialect.returning('$tally')}, ${dialect.now} + $ms)`);

  /** Adds points to a counter, which restarts when its window has passed. */
  function add(key: string, points: number, seconds: number): Promise<Count> {
    return new Promise((onCount, onError) => {
      const addition = waiting.get(key) ?? { id: idOfName(key), seconds, uses: [] };
      addition.uses.push({ points, onCount, onError });
      waiting.set(key, addition);
      if (isWriting) return;
      isWriting = true;
      queueMicrotask(writeWaiting); // together with the other counters of the same request
    });
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const additions = [...waiting.values()];
      waiting = new Map();
      for (let at = 0; at < additions.length; at += countersMax)
        await write(additions.slice(at, at + countersMax));
    }
    isWriting = false;
  }

  /** Resolves when all have been tried together. What the database refuses for contention is then tried apart. */
  async function write(additions: Addition[]): Promise<void> {
    const apart = () => additions.map((addition) => write([addition]));
    try {
      if (additions.length === 1 || (await returnsRows())) settle(additions, await upsert(additions));
      else await Promise.all(apart());
    } catch (error) {
      if (additions.length > 1 && isBusy(error)) void Promise.all(apart());
      else for (const addition of additions) fail(addition, error);
    }
  }

  /** Returns the new tallies by id. */
  async function upsert(additions: Addition[]): Promise<Map<string, number>> {
    // In the same order in every process, or two could wait for each other.
    const rows = additions.toSorted((a, b) => Buffer.compare(a.id, b.id));
    const { sql: values, binds } = valuesOf(
      rows.map(({ id, seconds, uses }) => ({
        id,
        tally: pointsOf(uses) * pointUnit + randomInt(pointUnit),
        ms: seconds * 1000,
      })),
    );
    const insert = `INSERT INTO rate_limits (id, tally, expires_at) VALUES ${values}
      ${dialect.onConflict('id', [], `tally = ${dialect.returning(sum)}, expires_at = ${end}`)}`;
    const [first] = rows;
    if (first && rows.length === 1)
      return new Map([[keyOf(first.id), await insertReturning(insert, 'tally', binds)]]);
    const found = await select<{ id: Buffer; tally: number }>(`${insert} RETURNING id, tally`, binds);
    return new Map(found.map(({ id, tally }) => [keyOf(id), tally]));
  }

  return { add };
}

function settle(additions: Addition[], tallies: Map<string, number>): void {
  for (const { id, uses } of additions) {
    const tally = tallies.get(keyOf(id));
    if (tally === undefined) throw new Error('a counter was written, but not returned');
    let points = Math.floor(tally / pointUnit) - pointsOf(uses);
    for (const use of uses) {
      points += use.points;
      use.onCount({ points, window: tally % pointUnit });
    }
  }
}

function fail({ uses }: Addition, error: unknown): void {
  for (const { onError } of uses) onError(error);
}

/** Whether the database still refused a statement for contention after several tries. */
const isBusy = (error: unknown) => error instanceof DomainError && error.messageCode === 'databaseBusy';
const pointsOf = (uses: Use[]) => uses.reduce((sum, { points }) => sum + points, 0);
const keyOf = (id: Buffer) => id.toString('latin1');
