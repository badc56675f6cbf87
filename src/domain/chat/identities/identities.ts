import type { Database } from '../../../database/database.ts';
import type { Account } from '../../accounts/account.ts';
import { createRecipients } from '../../notices/recipients.ts';
import { accountNameOf, type ChatUser, type Platform } from '../chatUser.ts';
import { identitiesTable } from '../tables.ts';
import { createIdentityAccounts } from './accounts.ts';
import { createIdentityLinking } from './link.ts';
import { createIdentityLocales } from './locales.ts';
import { createIdentityNames } from './names.ts';
import { createReachability } from './reachability.ts';

/** A chat user who is linked to an account. Times are epoch milliseconds. */
export type IdentitySummary = ChatUser & {
  /** The user's name in the chat, once they have connected a browser. */
  name: string | null;
  connectedAt: number;
  /** Null while our messages reach them. */
  unreachableSince: number | null;
  /** Whether the account was created for this user. Such a user cannot be unlinked. */
  isPrimary: boolean;
};

export type Identities = ReturnType<typeof createIdentities>;

/** Chat users and their accounts. Owns the table chat_identities. */
export function createIdentities(database: Database) {
  const { select } = database;
  const IdentityModel = database.model(identitiesTable);
  const recipients = createRecipients(database);
  const { createAccountFor, ...accounts } = createIdentityAccounts(database, recipients);

  /** The chat users of an account, the longest linked first. */
  async function list({ id, email }: Account): Promise<IdentitySummary[]> {
    const found = await IdentityModel.findAll({
      where: { accountId: id },
      order: ['createdAt', 'platform', 'address'],
    });
    return found.map(({ platform, address, name, createdAt, unreachableSince }) => ({
      platform,
      address,
      name,
      connectedAt: createdAt,
      unreachableSince,
      isPrimary: accountNameOf({ platform, address }) === email,
    }));
  }

  /** The chat users on a platform who own a push: none, one, or several. */
  async function ownersOf(pushId: string, platform: Platform): Promise<ChatUser[]> {
    return select<ChatUser>(
      `SELECT i.platform, i.address FROM pushes p JOIN chat_identities i ON i.account_id = p.account_id
       WHERE p.id = $id AND i.platform = $platform ORDER BY i.created_at`,
      { id: Buffer.from(pushId, 'hex'), platform },
    );
  }

  return {
    ...accounts,
    ...createIdentityLinking({ database, accounts: { ...accounts, createAccountFor }, recipients }),
    ...createIdentityNames(database),
    ...createIdentityLocales(database),
    ...createReachability(database),
    list,
    ownersOf,
  };
}
