import type { Database } from '../../../database/database.ts';
import type { Account } from '../../accounts/accounts.ts';
import { accountNameOf, type ChatUser, maybeChatUserOf, shortName } from '../chatUser.ts';

/** How chats call their users. Known of those who have connected a browser. */
export function createIdentityNames({ select, execute, withRetries }: Database) {
  async function setName({ platform, address }: ChatUser, name: string): Promise<void> {
    await withRetries(() =>
      execute('UPDATE chat_identities SET name = $name WHERE platform = $platform AND address = $address', {
        platform,
        address,
        name: shortName(name),
      }),
    );
  }

  /** The name of the chat user whom an account was created for; null for all other accounts, and where it is unknown. */
  async function maybeNameOf({ email }: Pick<Account, 'email'>): Promise<string | null> {
    const chatUser = maybeChatUserOf(email);
    if (chatUser === undefined) return null;
    const [found] = await select<{ name: string | null }>(
      'SELECT name FROM chat_identities WHERE platform = $platform AND address = $address',
      { ...chatUser },
    );
    return found?.name ?? null;
  }

  /** All known names, by the names of the accounts. */
  async function names(): Promise<Map<string, string>> {
    const found = await select<ChatUser & { name: string }>(
      'SELECT platform, address, name FROM chat_identities WHERE name IS NOT NULL',
      {},
    );
    return new Map(found.map((each) => [accountNameOf(each), each.name]));
  }

  return { setName, maybeNameOf, names };
}
