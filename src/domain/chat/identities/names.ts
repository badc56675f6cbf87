import type { Database, Tx } from '../../../database/database.ts';
import type { Account } from '../../accounts/account.ts';
import { accountNameOf, type ChatUser, maybeChatUserOf, shortName } from '../chatUser.ts';
import { identitiesTable } from '../tables.ts';

/** The names of chat users. Known for those who have connected a browser. */
export function createIdentityNames(database: Database) {
  const { model } = database;
  const IdentityModel = model(identitiesTable);

  const setName = (chatUser: ChatUser, name: string): Promise<void> => setNameWithin(chatUser, name);

  /** As `setName`, in a transaction of the caller's if there is one. */
  async function setNameWithin({ platform, address }: ChatUser, name: string, tx?: Tx): Promise<void> {
    await (tx ?? database).execute(
      'UPDATE chat_identities SET name = $name WHERE platform = $platform AND address = $address',
      { platform, address, name: shortName(name) },
    );
  }

  /** The name of the chat user that an account was created for. Null for other accounts, and if it is unknown. */
  async function maybeNameOf({ email }: Pick<Account, 'email'>): Promise<string | null> {
    const chatUser = maybeChatUserOf(email);
    if (chatUser === undefined) return null;
    return (await IdentityModel.findOne({ where: { ...chatUser } }))?.name ?? null;
  }

  /** All known names, or those of the users of some accounts, by the names of the accounts that are created for them. */
  async function names(accounts?: Pick<Account, 'id'>[]): Promise<Map<string, string>> {
    const found = await IdentityModel.findAll(
      accounts === undefined ? {} : { where: { accountId: accounts.map(({ id }) => id) } },
    );
    return new Map(found.flatMap((each) => (each.name === null ? [] : [[accountNameOf(each), each.name]])));
  }

  return { setName, setNameWithin, maybeNameOf, names };
}
