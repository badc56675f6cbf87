import { damaged, openFilesKey, openPayload } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenDigest } from '../../crypto/pepper.ts';
import type { Database, Tx } from '../../database/database.ts';
import { StaleReadError } from '../../database/errors.ts';
import type { Audit } from '../audit/audit.ts';
import type { ClientInfo } from '../client.ts';
import type { Downloads } from '../files/downloads.ts';
import type { PushFile } from '../files/fileList.ts';
import type { Grants } from '../files/grants.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { Observer } from '../observer.ts';
import type { PushSettings } from '../settings.ts';
import type { DamageRecords } from './damage.ts';
import { erasure } from './erasure.ts';
import { isExpired, type PushRow } from './push.ts';
import type { RevealNonce, SpentNonces } from './spentNonces.ts';
import { pushColumns, toPushRow } from './tables.ts';

type PushWithPayload = PushRow & { payload: Buffer | null; filesKey: Buffer | null };

/** The result of a claim: a payload, or why there is none. Only `claimed` changed anything. */
export type Claim =
  | { outcome: 'claimed'; row: PushRow; payload: string; files: PushFile[] }
  | { outcome: 'unknown' }
  | { outcome: 'repeated'; row: PushRow }
  | { outcome: 'expired'; row: PushRow }
  | { outcome: 'locked'; row: PushRow };

/** The push has files, and it has not been checked yet whether the store has them. */
type Unchecked = { outcome: 'files unchecked'; pushId: Buffer };

type Request = {
  urlToken: string;
  passphraseHash: string | null;
  client: ClientInfo;
  nonce?: RevealNonce | undefined;
};

type Dependencies = {
  database: Database;
  keyring: Keyring;
  audit: Audit;
  outbox: Outbox;
  grants: Grants;
  requireStored: Downloads['requireStored'];
  spentNonces: SpentNonces;
  damage: Pick<DamageRecords, 'record'>;
  settings: PushSettings;
  observer: Observer;
};

export type ClaimView = ReturnType<typeof createClaim>;

/**
 * The only way to a payload. One transaction locks the row, decides by the database's clock, counts the view under a
 * guard, erases the payload with the last view, writes the audit row and the notices, and decrypts. The payload is
 * returned only after COMMIT. Any failure before the end of COMMIT rolls back or refuses, so at most `viewsMax`
 * callers ever get a payload.
 */
export function createClaim(dependencies: Dependencies) {
  const { database, keyring, audit, outbox, grants, requireStored, spentNonces, damage, settings, observer } =
    dependencies;
  const { transaction, dialect } = database;
  const selectPush = `SELECT ${pushColumns(dialect.now)}, payload, files_key AS filesKey FROM pushes WHERE token_digest = $digest ${dialect.forUpdate}`;
  const guard = `id = $id AND views_used = $viewsUsed AND views_used < views_max
    AND expired_on IS NULL AND expires_at > ${dialect.now}`;
  const countView = `UPDATE pushes SET updated_at = ${dialect.now}, damaged_at = NULL, views_used = views_used + 1 WHERE ${guard}`;
  const countLastView = `UPDATE pushes SET ${erasure(dialect, settings)}, views_used = views_used + 1 WHERE ${guard}`;

  /**
   * Claims one view. `passphraseHash` is the hash that the caller's passphrase was verified against, or null. A
   * nonce claims only once: the second time, the outcome is `repeated`. Throws `unavailable`
   * while files of the push are unavailable, and when the push is damaged, which is recorded.
   */
  return async function claimView(request: Request): Promise<Claim> {
    const claim = await claimWhole(request).catch((error) => damage.record(request.urlToken, error));
    observer.claimed(claim.outcome);
    return claim;
  };

  async function claimWhole(request: Request): Promise<Claim> {
    let claim = await transaction((tx) => attempt(request, { filesChecked: false }, tx));
    if (claim.outcome === 'files unchecked') {
      await requireStored(claim.pushId); // May be slow, so no row is locked meanwhile.
      claim = await transaction((tx) => attempt(request, { filesChecked: true }, tx));
      if (claim.outcome === 'files unchecked') throw new Error('a claim still has unchecked files');
    }
    return claim;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the steps of a claim are read together
  async function attempt(
    { urlToken, passphraseHash, client, nonce }: Request,
    { filesChecked }: { filesChecked: boolean },
    tx: Tx,
  ): Promise<Claim | Unchecked> {
    const [found] = await tx.select<PushWithPayload>(selectPush, {
      digest: urlTokenDigest(keyring, urlToken),
    });
    if (found === undefined) return { outcome: 'unknown' };
    const { payload: record, filesKey, ...row } = toPushRow(found);
    const { id, viewsUsed, viewsMax, fileCount } = row;
    if (nonce !== undefined && (await spentNonces.has(nonce, tx))) return { outcome: 'repeated', row };
    if (isExpired(row)) return { outcome: 'expired', row };
    if (row.passphraseHash !== passphraseHash) return { outcome: 'locked', row };
    if (fileCount > 0 && !filesChecked) return { outcome: 'files unchecked', pushId: id };
    if (record === null) throw damaged('a live push has no payload');
    const payload = openPayload(keyring, record, { id, secret: urlToken });
    const key = filesKey && openFilesKey(keyring, filesKey, { id, secret: urlToken });
    const isLast = viewsUsed + 1 >= viewsMax;
    const counted = await tx.execute(isLast ? countLastView : countView, { id, viewsUsed });
    if (counted !== 1) throw new StaleReadError();
    await audit.record(id, 'view', client, tx);
    const files = key === null ? [] : await grants.issue({ ...row, urlToken, filesKey: key }, { isLast }, tx);
    if (nonce !== undefined) await spentNonces.add(nonce, { payload, files, viewsUsed: viewsUsed + 1 }, tx);
    await outbox.write('viewed', row, viewsUsed + 1, tx);
    if (isLast) await outbox.write('expired_by_views', row, viewsUsed + 1, tx);
    return {
      outcome: 'claimed',
      row: { ...row, viewsUsed: viewsUsed + 1, updatedAt: row.now },
      payload,
      files,
    };
  }
}
