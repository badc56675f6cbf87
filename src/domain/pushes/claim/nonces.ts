import { openViewCopy, seal } from '../../../crypto/cipher.ts';
import { idempotencyDigest } from '../../../crypto/pepper.ts';
import { forEachRow, inList, inPortions, padded, type Tx } from '../../../database/database.ts';
import { DomainError, unavailable } from '../../../errors.ts';
import { minuteMs } from '../../../time.ts';
import type { DatabaseWithKeys } from '../../base/index.ts';
import type { Push } from '../push.ts';

/** How long a used nonce is stored. Callers must not accept a nonce for longer. */
const retentionMs = 15 * minuteMs;
/** How long whoever claimed a view sees it again. */
const repeatMs = minuteMs;

/**
 * What a client sends to claim a view once: the nonce of a page, or an `Idempotency-Key`. The database stores the digest;
 * only the client has the secret. `isKey`: it may come with another request than before.
 */
export type RevealNonce = { digest: Buffer; secret: string; isKey?: true };

/** What a view showed, and how the push was then. */
export type ViewCopy = Pick<Push, 'files' | 'viewsUsed' | 'updatedAt' | 'hasPassphrase'> & {
  /** In UTF-8. */
  payload: Buffer;
  sender: string | null;
};

class SpentNonce extends Error {}

/** Whether views were not counted because one of their nonces had claimed before. */
export const isSpentNonce = (error: unknown): boolean =>
  error instanceof DomainError && error.cause instanceof SpentNonce;

export type SpentNonces = ReturnType<typeof createSpentNonces>;

/**
 * Nonces that were used to claim a view, as digests, so that a repeated request does not claim another. For a minute it
 * gets the same view again, from a copy that was written in the transaction of the claim. The key of the copy is
 * derived from a master key and the client's secret, so that a dump with the master keys opens none.
 */
export function createSpentNonces({
  database: { execute, select, deleteInBatches, dialect },
  keyring,
}: DatabaseWithKeys) {
  const valuesOf = forEachRow(
    `($digest, ${dialect.now} + ${retentionMs}, $view, ${dialect.now} + ${repeatMs})`,
  );

  /** Stands for the deletion of a push among the nonces. */
  const deletionOf = (pushId: Buffer) => idempotencyDigest(keyring, 'deletion', pushId.toString('hex'));

  return {
    /** The nonce that an `Idempotency-Key` is. Its copy opens for the same url token and passphrase alone. */
    ofKey: (key: string, urlToken: string, passphrase: string | undefined): RevealNonce => ({
      digest: idempotencyDigest(keyring, 'view', key),
      secret: JSON.stringify([key, urlToken, passphrase]),
      isKey: true,
    }),
    /** Returns those of these digests whose nonces were used, in hex. */
    async find(digests: Buffer[], tx: Tx): Promise<Set<string>> {
      const { names, binds } = inList(digests);
      const found = await tx.select<{ id: Buffer }>(
        `SELECT id FROM spent_nonces WHERE id IN (${names})`,
        binds,
      );
      return new Set(found.map(({ id }) => id.toString('hex')));
    },
    /** Refuses with `unavailable`, for which there is `isSpentNonce`, if one was used before. */
    async add(spent: { nonce: RevealNonce; copy: ViewCopy }[], tx: Tx): Promise<void> {
      const rows = spent.map(({ nonce: { digest, secret }, copy }) => ({
        digest,
        view: seal(keyring, toBytes(copy), { id: digest, field: 'view', secret }),
      }));
      for (const portion of inPortions(rows, ({ view }) => view.length)) {
        const { sql, binds } = valuesOf(padded(portion)); // what is repeated is ignored
        const rows = `INTO spent_nonces (id, expires_at, view, view_expires_at) VALUES ${sql}`;
        const added = await tx.execute(dialect.insertIgnore('id', rows), binds);
        if (added !== portion.length) throw unavailable('databaseBusy', new SpentNonce(), 1);
      }
    },
    /**
     * The view of a push that a nonce claimed within the last minute, unless `stopRepeats` was called. Throws `invalid` for a
     * key of another request.
     */
    async maybeView({ digest, secret, isKey }: RevealNonce, pushId: Buffer): Promise<ViewCopy | undefined> {
      const [found] = await select<{ view: Buffer | null }>(
        `SELECT view FROM spent_nonces WHERE id = $digest AND view_expires_at > ${dialect.now}
           AND NOT EXISTS (SELECT 1 FROM spent_nonces WHERE id = $deletion)`,
        { digest, deletion: deletionOf(pushId) },
      );
      if (found === undefined || found.view === null) return undefined;
      try {
        return toCopy(openViewCopy(keyring, found.view, { id: digest, secret }));
      } catch (error) {
        const isOther = isKey && error instanceof DomainError && error.messageCode === 'recordDamaged';
        throw isOther ? new DomainError('invalid', 'idempotencyKeyReused') : error;
      }
    },
    /**
     * Gives no view of a push again. For one that is deleted after its views were used up: only its copies are left, and they
     * are found by nonces alone.
     */
    async stopRepeats(pushId: Buffer, tx: Tx): Promise<void> {
      const row = `INTO spent_nonces (id, expires_at) VALUES ($deletion, ${dialect.now} + ${repeatMs})`;
      await tx.execute(dialect.insertIgnore('id', row), { deletion: deletionOf(pushId) });
    },
    /** Erases copies whose minute is over. */
    eraseViews: () =>
      execute(
        `UPDATE spent_nonces SET view = NULL, view_expires_at = NULL WHERE view_expires_at <= ${dialect.now}`,
        {},
      ),
    /** Deletes nonces that can no longer be used. */
    purge: (isStopping?: () => boolean) =>
      deleteInBatches('spent_nonces', 'expires_at', dialect.now, isStopping),
  };
}

/** Not all of it as JSON, in which a character can take six bytes: a copy must be no longer than its payload was. */
function toBytes({ payload, ...rest }: ViewCopy): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), payload]);
}

function toCopy(text: string): ViewCopy {
  const end = text.indexOf('\n');
  const rest = JSON.parse(text.slice(0, end)) as Omit<ViewCopy, 'payload'>;
  return { ...rest, payload: Buffer.from(text.slice(end + 1)) };
}
