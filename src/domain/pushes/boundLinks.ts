import { maybeId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenDigest } from '../../crypto/pepper.ts';
import { newUrlToken } from '../../crypto/tokens.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { minuteMs } from '../../time.ts';
import type { ChatUser } from '../people/index.ts';
import { isLive, pushNotFound } from './push.ts';
import type { ReserveViews } from './reserveViews.ts';

/** How long a bound recipient may use the link that they asked for. */
const boundLinkMs = 2 * minuteMs;

type Dependencies = { database: Database; keyring: Keyring; reserveViews: ReserveViews };

type PushOfUser = Pick<ChatUser, 'platform' | 'address'> & { pushId: Buffer };

/** Links of bound recipients, who are authenticated by their chat. */
export function createBoundLinks({ database, keyring, reserveViews }: Dependencies) {
  const { execute, select, transaction, dialect } = database;
  const isLivePush = isLive(dialect.now, 'p.');
  const ofUser = 'push_id = $pushId AND platform = $platform AND address = $address';

  /**
   * Returns the url token of a new link to a push, for one view of a chat user within two minutes. Their previous link
   * ends. `channel` is the address of the channel where they ask: if the push was shared there, they become a recipient.
   * Throws `not_found` once the push has ended, and `forbidden` for everybody but a recipient, and for one who has used
   * all their views.
   */
  return async function openBound(
    id: string,
    { platform, address }: ChatUser,
    channel?: string,
  ): Promise<string> {
    const pushId = maybeId(id);
    if (pushId === null) throw pushNotFound();
    const user = { pushId, platform, address };
    const urlToken = newUrlToken();
    if (await replaceLink(user, urlToken)) return urlToken;
    await requireInvitation(user, channel);
    if (await replaceLink(user, urlToken)) return urlToken;
    throw pushNotFound(); // it has ended meanwhile
  };

  /** Resolves to whether the user is a bound recipient of a live push, with a view left. */
  async function replaceLink(user: PushOfUser, urlToken: string): Promise<boolean> {
    const replaced = await execute(
      `UPDATE push_recipients SET token_digest = $digest, token_expires_at = ${dialect.now} + ${boundLinkMs}
       WHERE ${ofUser} AND is_bound = TRUE AND views_used < views_max
         AND EXISTS (SELECT 1 FROM pushes p WHERE p.id = push_recipients.push_id AND ${isLivePush})`,
      { ...user, digest: urlTokenDigest(keyring, urlToken) },
    );
    return replaced === 1;
  }

  /** Invites a member of a channel where the push was shared. Refuses everybody else, and whoever was invited before. */
  async function requireInvitation(user: PushOfUser, channel: string | undefined): Promise<void> {
    const [invited] = await select<{ isBound: number; isSpent: number }>(
      `SELECT is_bound AS isBound, views_used >= views_max AS isSpent FROM push_recipients WHERE ${ofUser}`,
      user,
    );
    if (invited?.isSpent) throw new DomainError('forbidden', 'openedAlready');
    const [push] = await select(`SELECT 1 FROM pushes p WHERE p.id = $pushId AND ${isLivePush}`, user);
    if (push === undefined) throw pushNotFound();
    if (invited && !invited.isBound) throw new DomainError('forbidden', 'hasLinkAlready');
    if (channel === undefined || !(await isSharedIn(user, channel)))
      throw new DomainError('forbidden', 'notRecipient');
    const { pushId, ...chatUser } = user;
    await transaction((tx) =>
      reserveViews(pushId, [chatUser], { viewsPerRecipient: 1, isBound: true }, tx),
    ).catch(refuseLate);
  }

  async function isSharedIn({ pushId, platform }: PushOfUser, channel: string): Promise<boolean> {
    const found = await select(
      'SELECT 1 FROM push_channels WHERE push_id = $pushId AND platform = $platform AND address = $channel',
      { pushId, platform, channel },
    );
    return found.length > 0;
  }
}

/** Says that a member of a channel comes too late, after others took or were promised all views. */
function refuseLate(error: unknown): never {
  if (error instanceof DomainError && error.code === 'invalid')
    throw new DomainError('forbidden', 'noViewLeft');
  throw error;
}
