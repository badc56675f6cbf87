import { newId } from '../../src/crypto/ids.ts';
import type { Keyring } from '../../src/crypto/keyring.ts';
import { newUrlToken } from '../../src/crypto/tokens.ts';
import { type Database, forEachRow } from '../../src/database/database.ts';
import type { Account } from '../../src/domain/index.ts';
import { sealPushLabel } from '../../src/domain/pushes/label.ts';
import { dayMs } from '../../src/time.ts';

const chunkSize = 10_000;
const labeledChunkSize = 500;
/** The numbers from 1 to 10,000. Databases limit how deep a recursion goes, some to a thousand steps. */
const numbers = `WITH RECURSIVE hundred(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM hundred WHERE n < 99),
  numbers(n) AS (SELECT 1 + hundreds.n * 100 + ones.n FROM hundred hundreds CROSS JOIN hundred ones)`;
const note = 'For the printer on the second floor. Please change it once it works.';
const labeledRows = forEachRow(`($id, $digest, $label, $accountId, 'text', $payload, TRUE, TRUE, 5, ${dayMs},
  $at, $at, $end, $end, '192.0.2.1', 'fill', '')`);

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
    const hasExpired = purgedInMs !== undefined;
    await database.execute(
      `INSERT INTO pushes (id, token_digest, account_id, kind, payload, deletable_by_viewer, retrieval_step, views_max,
         lifetime_ms, created_at, updated_at, expires_at, expired_on, due_at, purge_at,
         creator_ip, creator_user_agent, creator_referrer)
       ${numbers}
       SELECT ${id}, ${bytes(32)}, $accountId, 'text', ${hasExpired ? 'NULL' : bytes(166)}, TRUE, TRUE, 5,
         86400000, $first + n, $first + n, $end, $expiredOn, $dueAt, $purgeAt,
         '192.0.2.1', 'fill', '' FROM numbers WHERE n <= ${last}`,
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

/** Stores pushes of an account with what its lists show: a link, a name and a note. Nobody can open them. */
export async function storeLabeled(
  { database, keyring }: { database: Database; keyring: Keyring },
  { id: accountId }: Account,
  count: number,
): Promise<void> {
  const now = await database.clock();
  for (let stored = 0; stored < count; stored += labeledChunkSize) {
    const chunk = Math.min(labeledChunkSize, count - stored);
    const { sql, binds } = labeledRows(
      Array.from({ length: chunk }, (_, index) => {
        const id = newId();
        const label = { urlToken: newUrlToken(), name: `push ${stored + index}`, note };
        return {
          id,
          digest: Buffer.concat([id, id]),
          label: sealPushLabel(keyring, { id, accountId }, label),
          accountId,
          payload: Buffer.alloc(166),
          at: now - count + stored + index,
          end: now + 30 * dayMs,
        };
      }),
    );
    await database.execute(
      `INSERT INTO pushes (id, token_digest, label, account_id, kind, payload, deletable_by_viewer, retrieval_step,
         views_max, lifetime_ms, created_at, updated_at, expires_at, due_at, creator_ip, creator_user_agent,
         creator_referrer) VALUES ${sql}`,
      binds,
    );
  }
}

/** Lets the database count its rows, so that it chooses the plans of a database that has run for a while. */
export async function analyze(database: Database): Promise<void> {
  await (database.dialect.name === 'mysql'
    ? database.select('ANALYZE TABLE pushes', {})
    : database.execute('ANALYZE', {}));
}
