import { openFilesKey, openPayload, urlTokenDigest } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database, Tx } from '../../database/database.ts';
import { StaleReadError } from '../../database/errors.ts';
import { minuteMs } from '../../time.ts';
import type { Audit, ClientInfo } from '../audit/audit.ts';
import type { PushFile } from '../files/fileList.ts';
import type { Grants } from '../files/grants.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { Observer } from '../observer.ts';
import type { PushSettings } from '../settings.ts';
import { pushColumns, withBooleans } from './columns.ts';
import { erasure } from './erasure.ts';
import { isExpired, type PushRow } from './push.ts';

type PushWithPayload = PushRow & { payload: Buffer | null; filesKey: Buffer | null };

/** What came of an attempt: a payload, or why there is none. Only `claimed` changed anything. */
export type Claim =
  | { outcome: 'claimed'; row: PushRow; payload: string; files: PushFile[] }
  /** It has files, and the caller has not seen that they are there. */
  | { outcome: 'files'; row: PushRow }
  | { outcome: 'unknown' }
  | { outcome: 'repeated'; row: PushRow }
  | { outcome: 'expired'; row: PushRow }
  | { outcome: 'locked'; row: PushRow };

/** How long a nonce that opened a push is remembered; nobody may honour one for longer. */
const spentNonceRetentionMs = 15 * minuteMs;

type Dependencies = {
  database: Database;
  keyring: Keyring;
  audit: Audit;
  outbox: Outbox;
  grants: Grants;
  settings: PushSettings;
  observer: Observer;
};

export type ClaimView = ReturnType<typeof createClaim>;

/**
 * The one way to a payload. In one transaction: lock the row, decide by the database's clock, count the view under a
 * guard, erase the payload with the last view, write the audit row and the notices, decrypt; then COMMIT, and only then give the payload
 * away. Whatever fails before the end of COMMIT rolls back or refuses: at most `viewsMax` callers ever get a payload.
 */
export function createClaim(dependencies: Dependencies) {
  const { database, keyring, audit, outbox, grants, settings, observer } = dependencies;
  const { transaction, dialect } = database;
  const selectPush = `SELECT ${pushColumns(dialect.now)}, payload, files_key AS filesKey FROM pushes WHERE token_digest = $digest ${dialect.forUpdate}`;
  const guard = `id = $id AND views_used = $viewsUsed AND views_used < views_max
    AND expired_on IS NULL AND expires_at > ${dialect.now}`;
  const countView = `UPDATE pushes SET updated_at = ${dialect.now}, views_used = views_used + 1 WHERE ${guard}`;
  const countLastView = `UPDATE pushes SET ${erasure(dialect, settings)}, views_used = views_used + 1 WHERE ${guard}`;

  const insertNonce = `INSERT INTO spent_nonces (id, expires_at) VALUES ($nonceDigest, ${dialect.now} + ${spentNonceRetentionMs})`;

  async function isSpent(nonceDigest: Buffer, tx: Tx): Promise<boolean> {
    const found = await tx.select('SELECT id FROM spent_nonces WHERE id = $nonceDigest', { nonceDigest });
    return found.length > 0;
  }

  /**
   * Claims one view. `passphraseHash` is the hash that the caller's passphrase was verified against, null without one.
   * With `nonceDigest` (a SHA-256), a claim that succeeded under the same one within the last ten minutes is not repeated.
   * A push with files is claimed once the caller has seen that they are there, as `sawFiles` says.
   */
  return async function claimView(
    urlToken: string,
    passphraseHash: string | null,
    client: ClientInfo,
    { nonceDigest, sawFiles = false }: { nonceDigest?: Buffer | undefined; sawFiles?: boolean } = {},
  ): Promise<Claim> {
    const digest = urlTokenDigest(keyring, urlToken);
    const claim = await transaction(async (tx): Promise<Claim> => {
      const [found] = await tx.select<PushWithPayload>(selectPush, { digest });
      if (found === undefined) return { outcome: 'unknown' };
      const { payload: record, filesKey, ...row } = withBooleans(found);
      if (nonceDigest !== undefined && (await isSpent(nonceDigest, tx))) return { outcome: 'repeated', row };
      if (isExpired(row)) return { outcome: 'expired', row };
      if (row.passphraseHash !== passphraseHash) return { outcome: 'locked', row };
      if (row.fileCount > 0 && !sawFiles) return { outcome: 'files', row };
      if (record === null) throw new Error('a live push has no payload');
      const payload = openPayload(keyring, record, { id: row.id, secret: urlToken });
      const key = filesKey && openFilesKey(keyring, filesKey, { id: row.id, secret: urlToken });
      const isLast = row.viewsUsed + 1 >= row.viewsMax;
      const { id, viewsUsed } = row;
      const counted = await tx.execute(isLast ? countLastView : countView, { id, viewsUsed });
      if (counted !== 1) throw new StaleReadError();
      if (nonceDigest !== undefined) await tx.execute(insertNonce, { nonceDigest });
      await audit.record(id, 'view', client, tx);
      const files =
        key === null ? [] : await grants.issue({ ...row, urlToken, filesKey: key }, { isLast }, tx);
      await outbox.write('viewed', row, viewsUsed + 1, tx);
      if (isLast) await outbox.write('expired_by_views', row, viewsUsed + 1, tx);
      return {
        outcome: 'claimed',
        row: { ...row, viewsUsed: viewsUsed + 1, updatedAt: row.now },
        payload,
        files,
      };
    });
    if (claim.outcome !== 'files') observer.claimed(claim.outcome);
    return claim;
  };
}
