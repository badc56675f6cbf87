import type { Database } from '../../../database/database.ts';
import type { Account } from '../../accounts/accounts.ts';
import { accountNameOf, type ChatUser, maybeChatUserOf, shortName } from '../chatUser.ts';
import { identitiesTable } from '../tables.ts';

/** The names of chat users. Known for those who have connected a browser. */
export function createIdentityNames({ model, withRetries }: Database) {
  const IdentityModel = model(identitiesTable);

  async function setName({ platform, address }: ChatUser, name: string): Promise<void> {
    await withRetries(() =>
      IdentityModel.update({ name: shortName(name) }, { where: { platform, address } }),
    );
  }

  /** The name of the chat user whom an account was created for. Null for other accounts, and if it is unknown. */
  async function maybeNameOf({ email }: Pick<Account, 'email'>): Promise<string | null> {
    const chatUser = maybeChatUserOf(email);
    if (chatUser === undefined) return null;
    return (await IdentityModel.findOne({ where: { ...chatUser } }))?.name ?? null;
  }

  /** All known names, by the names of the accounts. */
  async function names(): Promise<Map<string, string>> {
    const found = await IdentityModel.findAll();
    return new Map(found.flatMap((each) => (each.name === null ? [] : [[accountNameOf(each), each.name]])));
  }

  return { setName, maybeNameOf, names };
}
