import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenDigest } from '../../crypto/pepper.ts';
import { newUrlToken } from '../../crypto/tokens.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { minuteMs } from '../../time.ts';
import type { ChatUser } from '../chat/chatUser.ts';
import { pushNotFound } from './find.ts';

/** How long a bound recipient may use the link that they asked for. */
export const boundLinkMs = 2 * minuteMs;

type Found = { isRecipient: number; isSpent: number; isEnded: number };

/** Links of bound recipients, whom their chat has authenticated. */
export function createBoundLinks({ database, keyring }: { database: Database; keyring: Keyring }) {
  const { execute, select, dialect } = database;
  const isEnded = `(p.expired_on IS NOT NULL OR p.expires_at <= ${dialect.now})`;
  const ofUser = 'push_id = $pushId AND platform = $platform AND address = $address AND is_bound = TRUE';

  /**
   * Returns the url token of a new link to a push, for one view of a chat user within two minutes. Their previous link
   * ends. Throws `not_found` once the push has ended, and `forbidden` for everybody but a recipient, and for one who has
   * used all their views.
   */
  return async function openBound(pushId: string, { platform, address }: ChatUser): Promise<string> {
    if (!/^[0-9a-f]{32}$/.test(pushId)) throw pushNotFound();
    const user = { pushId: Buffer.from(pushId, 'hex'), platform, address };
    const urlToken = newUrlToken();
    const changed = await execute(
      `UPDATE push_recipients SET token_digest = $digest, token_expires_at = ${dialect.now} + ${boundLinkMs}
       WHERE ${ofUser} AND views_used < views_max
         AND EXISTS (SELECT 1 FROM pushes p WHERE p.id = push_recipients.push_id AND NOT ${isEnded})`,
      { ...user, digest: urlTokenDigest(keyring, urlToken) },
    );
    if (changed !== 1) await refuse(user);
    return urlToken;
  };

  async function refuse(user: { pushId: Buffer; platform: string; address: string }): Promise<never> {
    const [found] = await select<Found>(
      `SELECT r.id IS NOT NULL AS isRecipient, COALESCE(r.views_used >= r.views_max, FALSE) AS isSpent, ${isEnded} AS isEnded
       FROM pushes p LEFT JOIN push_recipients r ON r.push_id = p.id
         AND r.platform = $platform AND r.address = $address AND r.is_bound = TRUE
       WHERE p.id = $pushId`,
      user,
    );
    if (found === undefined) throw pushNotFound();
    if (!found.isRecipient) throw new DomainError('forbidden', 'notRecipient');
    if (found.isSpent) throw new DomainError('forbidden', 'openedAlready');
    throw pushNotFound();
  }
}
