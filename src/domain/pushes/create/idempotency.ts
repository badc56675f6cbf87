import { openLabel, seal } from '../../../crypto/cipher.ts';
import { idempotencyDigest } from '../../../crypto/pepper.ts';
import { urlTokenSha256 } from '../../../crypto/tokens.ts';
import type { Tx } from '../../../database/database.ts';
import { DomainError, unavailable } from '../../../errors.ts';
import { dayMs, minuteMs, secondMs } from '../../../time.ts';
import type { DatabaseWithKeys } from '../../base/index.ts';
import { clientKey } from '../../limits/index.ts';
import type { Caller } from '../../people/index.ts';
import type { Push } from '../push.ts';

/** How long a key is stored, from the creation of its push. */
const retentionMs = dayMs;
/** How long a creation takes at most. After that, its process must have died, and a retry may begin anew. */
const inProgressMs = minuteMs;
const retrySeconds = 1;

/** What a key was used for: the request, as a digest, and the push as it was created. */
type CreationRecord = { requestDigest: string; push: Omit<Push, 'urlTokenSha256'> };

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Idempotency keys of creations (draft-ietf-httpapi-idempotency-key-header). A key belongs to one account, to one API token
 * that only creates, or to one client without an account. It is claimed before the work starts, and stored with its push in the transaction that creates it,
 * so that it never creates two. The database has the key as a digest alone: without the client, nobody opens the record.
 */
export function createIdempotency({
  database: { execute, select, deleteInBatches, dialect },
  keyring,
}: DatabaseWithKeys) {
  const contextOf = (key: string, caller: Caller) => {
    const owner = ownerOf(caller);
    return { id: idempotencyDigest(keyring, owner, key), field: 'created_push', secret: key } as const;
  };

  /**
   * Claims a key for a request. Returns the push that an earlier one created, if there is one. Throws `invalid` if it was
   * another request, and `conflict` while that is in progress, with the time until it is given up.
   */
  async function claim(key: string, caller: Caller, requestDigest: string) {
    const context = contextOf(key, caller);
    const { id } = context;
    if (await isClaimed(id)) return { created: undefined, ...claimed(context, requestDigest) };
    const { record, leftMs } = await findRecord(id);
    if (record === null) {
      const retryAfterSeconds = Math.max(retrySeconds, Math.ceil(leftMs / secondMs));
      throw new DomainError('conflict', 'idempotencyKeyInUse', { retryAfterSeconds });
    }
    const found = JSON.parse(openLabel(keyring, record, context)) as CreationRecord;
    if (found.requestDigest !== requestDigest) throw new DomainError('invalid', 'idempotencyKeyReused');
    return { created: { ...found.push, urlTokenSha256: urlTokenSha256(found.push.urlToken) } };
  }

  /** Whether the key was new, or its time was over. */
  async function isClaimed(id: Buffer): Promise<boolean> {
    const expiresAt = `${dialect.now} + ${inProgressMs}`;
    const inserted = await execute(
      dialect.insertIgnore('id', `INTO idempotency_keys (id, expires_at) VALUES ($id, ${expiresAt})`),
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

  /** Without a record while a request is in progress, which has `leftMs`, and if one has just failed. */
  async function findRecord(id: Buffer): Promise<{ record: Buffer | null; leftMs: number }> {
    const [row] = await select<{ record: Buffer | null; leftMs: number }>(
      `SELECT record, expires_at - ${dialect.now} AS leftMs FROM idempotency_keys WHERE id = $id`,
      { id },
    );
    return row ?? { record: null, leftMs: 0 };
  }

  function claimed(context: ReturnType<typeof contextOf>, requestDigest: string) {
    const { id } = context;
    return {
      /** Stores the push, in the transaction that creates it. Throws if another request has the key meanwhile. */
      async store({ urlTokenSha256: _, ...push }: Push, tx: Tx): Promise<void> {
        const content: CreationRecord = { requestDigest, push };
        const record = seal(keyring, JSON.stringify(content), context);
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

  /**
   * Creates the push of a request, or returns the one that it created earlier. Throws like `claim`. A request that fails
   * creates nothing, and may be corrected.
   */
  async function once(
    { key, caller, digest }: { key: string; caller: Caller; digest: string },
    create: (store: (push: Push, tx: Tx) => Promise<void>) => Promise<Push>,
  ): Promise<Push> {
    const claimed = await claim(key, caller, digest);
    if (claimed.created !== undefined) return claimed.created;
    try {
      return await create(claimed.store);
    } catch (error) {
      await claimed.release();
      throw error;
    }
  }

  /** Deletes keys whose time is over. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('idempotency_keys', 'expires_at', dialect.now, isStopping);

  return { claim, once, purge };
}

/** Whose keys they are. A token that only creates gets the links of its own pushes, and of no others of its account. */
function ownerOf({ account, client, token }: Caller): string {
  if (account === null) return `client ${clientKey(client)}`;
  return token?.scope === 'create'
    ? `token ${token.id.toString('hex')}`
    : `account ${account.id.toString('hex')}`;
}
