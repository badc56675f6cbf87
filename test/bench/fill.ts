import type { Database } from '../../src/database/database.ts';

const chunkSize = 10_000;

type Filling = {
  count: number;
  /** When they expire, in relation to now. */
  expiresInMs: number;
  /** Their owner. Without one they are anonymous. */
  accountId?: Buffer;
  /** How they look once they have expired: without payload, to be purged at this time in relation to now. */
  purgedInMs?: number;
};

/**
 * Stores pushes by statements of 10,000 rows, with ids in order of creation, as hushpush makes them, a millisecond apart
 * until now. Nobody can open them. Returns the time at which they expire, by the database's clock.
 */
export async function storePushes(database: Database, filling: Filling): Promise<number> {
  const { count, expiresInMs, accountId = null, purgedInMs } = filling;
  const isMysql = database.dialect.name === 'mysql';
  const bytes = (length: number) => (isMysql ? `RANDOM_BYTES(${length})` : `randomblob(${length})`);
  const id = isMysql
    ? "UNHEX(CONCAT(LPAD(HEX($first + n), 12, '0'), '7000', HEX(RANDOM_BYTES(8))))"
    : "unhex(printf('%012X', $first + n) || '7000' || hex(randomblob(8)))";
  const now = await database.clock();
  for (let stored = 0; stored < count; stored += chunkSize) {
    const last = Math.min(chunkSize, count - stored);
    const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`;
    const hasExpired = purgedInMs !== undefined;
    await database.execute(
      `INSERT INTO pushes (id, token_digest, account_id, kind, payload, deletable_by_viewer, retrieval_step, views_max,
         lifetime_ms, created_at, updated_at, expires_at, expired_on, due_at, purge_at,
         creator_ip, creator_user_agent, creator_referrer)
       ${isMysql ? '' : numbers}
       SELECT ${id}, ${bytes(32)}, $accountId, 'text', ${hasExpired ? 'NULL' : bytes(166)}, TRUE, TRUE, 5,
         86400000, $first + n, $first + n, $end, $expiredOn, $dueAt, $purgeAt,
         '192.0.2.1', 'fill', '' FROM ${isMysql ? `(SELECT seq AS n FROM seq_1_to_${last}) numbers` : 'numbers'}`,
      {
        accountId,
        first: now - count + stored,
        end: now + expiresInMs,
        expiredOn: hasExpired ? now + expiresInMs : null,
        dueAt: hasExpired ? null : now + expiresInMs,
        purgeAt: hasExpired ? now + purgedInMs : null,
      },
    );
  }
  return now + expiresInMs;
}
