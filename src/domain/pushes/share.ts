import type { Database } from '../../database/database.ts';
import type { Account } from '../people/index.ts';
import type { PushFinder } from './find.ts';
import type { Invite } from './invite.ts';
import type { NewPushRecipient } from './reserveViews.ts';

type Dependencies = { database: Database; invite: Invite; finder: PushFinder };

/** Shares live pushes with more people. */
export function createSharing({ database: { transaction }, invite, finder }: Dependencies) {
  /**
   * Invites people in a chat to an account's push, for one view each, which nobody else can use any more. Throws
   * `not_found` once the push has ended, and `invalid` if it has fewer views left than that.
   */
  return async function share(account: Account, id: string, recipients: NewPushRecipient[]): Promise<void> {
    await finder.requireUrlToken(account, id);
    await transaction((tx) =>
      invite(Buffer.from(id, 'hex'), recipients, { viewsPerRecipient: 1, isBound: true }, tx),
    );
  };
}
