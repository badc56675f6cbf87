import { type Database, forEachRow, type Statements } from '../../database/database.ts';
import type { clientColumns } from '../client.ts';
import type { PushRow } from './push.ts';

/** The initial values of a row, except for times, which the database sets. */
type NewRow = Omit<
  PushRow,
  | 'viewsUsed'
  | 'viewsReserved'
  | 'createdAt'
  | 'updatedAt'
  | 'expiresAt'
  | 'expiresAtMax'
  | 'expiredOn'
  | 'deleted'
  | 'now'
> & { digest: Buffer; payload: Buffer; filesKey: Buffer | null };

/** A row to insert, with the times that count from its creation. */
export type NewPush = NewRow &
  ReturnType<typeof clientColumns> & { lifetimeMaxMs: number | null; dueInMs: number };

/** Inserts rows of pushes. */
export function createPushInsertion({ dialect }: Database) {
  const valuesOf = forEachRow(`($id, $digest, $label, $accountId, $kind, $encrypted, $payload,
    $passphraseHash, $notify, $deletableByViewer, $retrievalStep, $viewsMax, $fileCount, $filesKey,
    ${dialect.returning(dialect.now)}, ${dialect.now}, ${dialect.now} + $lifetimeMs,
    $lifetimeMs, ${dialect.now} + $lifetimeMaxMs, ${dialect.now} + $dueInMs,
    $ip, $userAgent, $referrer)`);

  /** Inserts pushes in one statement. Returns their time of creation by the database's clock. */
  return function insertPushes(newPushes: NewPush[], { insertReturning }: Statements): Promise<number> {
    const { sql, binds } = valuesOf(newPushes);
    return insertReturning(
      `INSERT INTO pushes (id, token_digest, label, account_id, kind, encrypted, payload,
         passphrase_hash, notify, deletable_by_viewer, retrieval_step, views_max, file_count, files_key,
         created_at, updated_at, expires_at, lifetime_ms, expires_at_max, due_at,
         creator_ip, creator_user_agent, creator_referrer)
       VALUES ${sql}`,
      'created_at',
      binds,
    );
  };
}
