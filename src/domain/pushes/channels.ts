import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { AccountCaller, ChatUser } from '../people/index.ts';
import type { PushFinder } from './find.ts';
import { pushNotFound } from './notFound.ts';
import { isExpired, type Push } from './push.ts';

/** A channel of a chat. The address is `TEAM:CHANNEL` in Slack and `CHANNEL` in Discord. */
export type ChatChannel = ChatUser;

type Dependencies = { database: Database; finder: PushFinder };

/** Shares live pushes with the members of a channel. */
export function createChannelSharing({ database: { execute, dialect }, finder }: Dependencies) {
  /**
   * Lets every member of a channel open an account's push once, while it has views that nobody reserved. Throws
   * `not_found` once the push has ended, and `forbidden` if it has no such view left.
   */
  return async function shareInChannel(
    { account, client }: AccountCaller,
    id: string,
    { platform, address }: ChatChannel,
  ): Promise<Push> {
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
  };
}
