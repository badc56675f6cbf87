import { openLabel, seal } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { idempotencyDigest } from '../../crypto/pepper.ts';
import type { Database, Tx } from '../../database/database.ts';
import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  sealedColumn,
  type Table,
} from '../../database/table.ts';
import { DomainError, unavailable } from '../../errors.ts';
import { dayMs, minuteMs } from '../../time.ts';
import type { Caller } from '../caller.ts';
import { clientKey } from '../limits/subjects.ts';
import type { Push } from './push.ts';

type IdempotencyKeyRow = { id: Buffer; record: Buffer | null; expiresAt: number };

/** Keys by their digests. `record` is a sealed CreationRecord, null while the request is in progress. */
export const idempotencyKeysTable: Table<IdempotencyKeyRow> = {
  name: 'idempotency_keys',
  columns: {
    id: primaryKey(bytesColumn),
    record: nullable(sealedColumn({ field: 'created_push', secret: 'holder', endsAt: 'expires_at' })),
    expiresAt: integerColumn,
  },
};

/** How long a key is stored, from the creation of its push. */
const retentionMs = dayMs;
/** How long a creation takes at most. After that, its process must have died, and a retry may begin anew. */
const inProgressMs = minuteMs;
const retrySeconds = 1;

/** What a key was used for: the request, as a digest, and the push as it was created. */
type CreationRecord = { requestDigest: string; push: Push };

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Idempotency keys of creations (draft-ietf-httpapi-idempotency-key-header). A key belongs to one account, or to one client
 * without an account. It is claimed before the work starts, and stored with its push in the transaction that creates it,
 * so that it never creates two. The database has the key as a digest alone: without the client, nobody opens the record.
 */
export function createIdempotency({ execute, select, deleteInBatches, dialect }: Database, keyring: Keyring) {
  const contextOf = (key: string, { account, client }: Caller) => {
    const owner = account === null ? `client ${clientKey(client)}` : `account ${account.id.toString('hex')}`;
    return { id: idempotencyDigest(keyring, owner, key), field: 'created_push', secret: key } as const;
  };

  /**
   * Claims a key for a request. Returns the push that an earlier one created, if there is one. Throws `conflict` while
   * that is in progress, and `invalid` if it was another request.
   */
  async function claim(key: string, caller: Caller, requestDigest: string) {
    const context = contextOf(key, caller);
    const { id } = context;
    if (await isClaimed(id)) return { created: undefined, ...claimed(context, requestDigest) };
    const record = await findRecord(id);
    if (record === null)
      throw new DomainError('conflict', 'idempotencyKeyInUse', { retryAfterSeconds: retrySeconds });
    const found = JSON.parse(openLabel(keyring, record, context)) as CreationRecord;
    if (found.requestDigest !== requestDigest) throw new DomainError('invalid', 'idempotencyKeyReused');
    return { created: found.push };
  }

  /** Whether the key was new, or its time was over. */
  async function isClaimed(id: Buffer): Promise<boolean> {
    const expiresAt = `${dialect.now} + ${inProgressMs}`;
    const inserted = await execute(
      `${dialect.insertIgnore} INTO idempotency_keys (id, expires_at) VALUES ($id, ${expiresAt})`,
      { id },
    );
    if (inserted === 1) return true;
    const renewed = await execute(
      `UPDATE idempotency_keys SET record = NULL, expires_at = ${expiresAt}
       WHERE id = $id AND expires_at <= ${dialect.now}`,
      { id },
    );
    return renewed === 1;
  }

  /** Null while a request is in progress, and if one has just failed. */
  async function findRecord(id: Buffer): Promise<Buffer | null> {
    const [row] = await select<{ record: Buffer | null }>(
      'SELECT record FROM idempotency_keys WHERE id = $id',
      { id },
    );
    return row?.record ?? null;
  }

  function claimed(context: ReturnType<typeof contextOf>, requestDigest: string) {
    const { id } = context;
    return {
      /** Stores the push, in the transaction that creates it. Throws if another request has the key meanwhile. */
      async store(push: Push, tx: Tx): Promise<void> {
        const record = seal(keyring, JSON.stringify({ requestDigest, push }), context);
        const stored = await tx.execute(
          `UPDATE idempotency_keys SET record = $record, expires_at = ${dialect.now} + ${retentionMs}
           WHERE id = $id AND record IS NULL`,
          { id, record },
        );
        if (stored !== 1) throw unavailable('createTooSlow', undefined, retrySeconds);
      },
      /** Gives the key back if nothing was created. */
      async release(): Promise<void> {
        await execute('DELETE FROM idempotency_keys WHERE id = $id AND record IS NULL', { id });
      },
    };
  }

  /** Deletes keys whose time is over. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('idempotency_keys', 'expires_at', dialect.now, isStopping);

  return { claim, purge };
}
