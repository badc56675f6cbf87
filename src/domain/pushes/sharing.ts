import type { Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { mailMessenger } from '../mail/index.ts';
import { type Account, type AccountCaller, type ChatUser, toRecipient } from '../people/index.ts';
import type { PushDependencies } from './dependencies.ts';
import { isExpired, type Push, pushNotFound } from './push.ts';
import {
  type Invitation,
  type InviteOptions,
  isChatUser,
  isMailed,
  type NewPushRecipient,
  type ReserveViews,
} from './reserveViews.ts';

/** A channel of a chat. The address is `TEAM:CHANNEL` in Slack and `CHANNEL` in Discord. */
export type ChatChannel = ChatUser;

export type Invite = ReturnType<typeof createSharing>['invite'];

/** Makes pushes for recipients, and shares live ones with more people. */
export function createSharing({
  database,
  finder,
  outbox,
  reserveViews,
}: PushDependencies & { reserveViews: ReserveViews }) {
  const { transaction, execute, dialect } = database;

  /** Reserves views like `reserveViews`, and notifies everybody but those with a label, also who is a recipient already. */
  async function invite(
    pushId: Buffer,
    invitations: Invitation[],
    options: InviteOptions,
    tx: Tx,
  ): Promise<void> {
    await reserveViews(pushId, invitations, options, tx);
    const inChats = invitations.filter(isChatUser).map(toRecipient);
    const byMail = invitations.filter(isMailed).map(({ address }) => ({ messenger: mailMessenger, address }));
    await outbox.send('shared', pushId, [...inChats, ...byMail], tx);
  }

  /**
   * Invites people in a chat to an account's push, for one view each, which nobody else can use any more. Throws
   * `not_found` once the push has ended, and `invalid` if it has fewer views left than that.
   */
  async function share(account: Account, id: string, recipients: NewPushRecipient[]): Promise<void> {
    await finder.requireUrlToken(account, id);
    await transaction((tx) =>
      invite(Buffer.from(id, 'hex'), recipients, { viewsPerRecipient: 1, isBound: true }, tx),
    );
  }

  /**
   * Lets every member of a channel open an account's push once, while it has views that nobody reserved. Throws
   * `not_found` once the push has ended, `forbidden` if it has no such view left, and for a chat that did not say which
   * channel.
   */
  async function shareInChannel(
    { account, client }: AccountCaller,
    id: string,
    { platform, address }: ChatChannel,
  ): Promise<Push> {
    if (address === '') throw new Error('a push cannot be shared in a channel without an address');
    const urlToken = await finder.requireUrlToken(account, id);
    const row = await finder.requireRow(urlToken, client);
    const push = finder.present(row, urlToken, account);
    if (isExpired(push)) throw pushNotFound();
    if (push.isReserved) throw new DomainError('forbidden', 'reservedForRecipients');
    await execute(
      `INSERT INTO push_channels (push_id, platform, address, created_at) VALUES ($pushId, $platform, $address, ${dialect.now})
       ${dialect.onConflict('push_id, platform, address', ['address'])}`,
      { pushId: row.id, platform, address },
    );
    return push;
  }

  return { invite, share, shareInChannel };
}
