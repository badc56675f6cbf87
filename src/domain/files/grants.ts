import { seal } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { digestOf, newSecret } from '../../crypto/tokens.ts';
import type { Database, Tx } from '../../database/database.ts';
import { minuteMs } from '../../time.ts';
import type { FileList, PushFile } from './fileList.ts';

type Dependencies = { database: Database; keyring: Keyring; fileList: FileList };

type GrantedPush = { id: Buffer; urlToken: string; filesKey: Buffer; expiresAt: number };

/** How long a viewer may download. A push that ends by time ends its grants too. */
const grantMs = 10 * minuteMs;

export type Grants = ReturnType<typeof createGrants>;

/**
 * The right to download files after a counted view: 256 random bits that only the viewer has. The database stores
 * their digest, and the files' key encrypted under them. So files can still be opened after the last view has erased
 * the push's own key, but not after the grant ends.
 */
export function createGrants({ database: { dialect }, keyring, fileList }: Dependencies) {
  const end = `CASE WHEN $expiresAt < ${dialect.now} + ${grantMs} THEN $expiresAt ELSE ${dialect.now} + ${grantMs} END`;

  /**
   * Creates the grant of a view and returns the files with it, in the transaction that counts the view. After the
   * last view, the files are retained for as long as the grant.
   */
  async function issue(
    { id: pushId, urlToken, filesKey, expiresAt }: GrantedPush,
    { isLast }: { isLast: boolean },
    tx: Tx,
  ): Promise<PushFile[]> {
    const secret = newSecret();
    const content = Buffer.concat([filesKey, Buffer.from(urlToken)]);
    const sealed = seal(keyring, content, { id: pushId, field: 'grant', secret });
    await tx.execute(
      `INSERT INTO download_grants (id, push_id, sealed, expires_at) VALUES ($id, $pushId, $sealed, ${end})`,
      { id: digestOf(secret), pushId, sealed, expiresAt },
    );
    if (isLast) {
      const retain = `UPDATE files SET shred_at = ${end} WHERE push_id = $pushId AND label IS NOT NULL`;
      await tx.execute(retain, { pushId, expiresAt });
    }
    const files = await fileList.ofPush({ id: pushId, urlToken }, tx);
    return files.map((file, index) => ({ ...file, download: `${secret}/${index + 1}` }));
  }

  /** Ends all grants of a push and schedules its files for shredding, in the transaction that ends the push. */
  async function revoke(pushId: Buffer, tx: Tx): Promise<void> {
    await tx.execute('DELETE FROM download_grants WHERE push_id = $pushId', { pushId });
    const shred = `UPDATE files SET shred_at = ${dialect.now} WHERE push_id = $pushId AND shred_at > ${dialect.now}`;
    await tx.execute(shred, { pushId });
  }

  return { issue, revoke };
}
