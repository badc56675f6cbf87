import type { Database, Tx } from '../../../database/database.ts';
import type { MergeAccounts, SecurityLog, StepUp } from '../../accounts/index.ts';
import { createRecipients } from '../../outbox/index.ts';
import {
  type Account,
  accountNameOf,
  type ChatCaller,
  type ChatUser,
  maybeChatUserOf,
  type Platform,
  shortName,
} from '../../people/index.ts';
import { identitiesTable } from '../tables.ts';
import { createIdentityAccounts } from './accounts.ts';
import { createIdentityLinking } from './link.ts';

const localesMax = 50_000;
/** The longest language tag that has to be expected (RFC 5646, section 4.4.1). */
const tagMax = 35;

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
export function createIdentities(
  database: Database,
  mergeAccounts: MergeAccounts,
  securityLog: Pick<SecurityLog, 'record'>,
  stepUp: StepUp,
  lacksFactor: string,
) {
  const { select, execute, dialect } = database;
  const IdentityModel = database.model(identitiesTable);
  const recipients = createRecipients(database);
  const savedLocales = new Map<string, string>();
  const { createAccountFor, ...accounts } = createIdentityAccounts(database, recipients, lacksFactor);

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

  /** Names are known for those who have connected a browser. */
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

  /** Saves the language of a caller who has an account, once for each change that this process sees. */
  async function saveLocale({ chatUser, locale }: ChatCaller): Promise<void> {
    if (locale === undefined || locale.length > tagMax) return;
    const key = accountNameOf(chatUser);
    if (savedLocales.get(key) === locale) return;
    await execute(
      'UPDATE chat_identities SET locale = $locale WHERE platform = $platform AND address = $address',
      { platform: chatUser.platform, address: chatUser.address, locale },
    );
    if (savedLocales.size >= localesMax) savedLocales.clear();
    savedLocales.set(key, locale);
  }

  /** The language for messages that answer no command. Known for those who have used a command. */
  async function maybeLocale({ platform, address }: ChatUser): Promise<string | undefined> {
    const identity = await IdentityModel.findOne({ where: { platform, address } });
    return identity?.locale ?? undefined;
  }

  /** Saves whether direct messages reach a chat user. */
  async function setReachable({ platform, address }: ChatUser, isReachable: boolean): Promise<void> {
    await execute(
      `UPDATE chat_identities SET unreachable_since = ${isReachable ? 'NULL' : dialect.now}
       WHERE platform = $platform AND address = $address AND unreachable_since IS ${isReachable ? 'NOT NULL' : 'NULL'}`,
      { platform, address },
    );
  }

  /** Whether the last message could not be delivered. */
  async function isUnreachable({ platform, address }: ChatUser): Promise<boolean> {
    const identity = await IdentityModel.findOne({ where: { platform, address } });
    return identity !== null && identity.unreachableSince !== null;
  }

  return {
    ...accounts,
    ...createIdentityLinking({
      database,
      accounts: { ...accounts, createAccountFor },
      recipients,
      mergeAccounts,
      securityLog,
      stepUp,
    }),
    list,
    ownersOf,
    setName,
    setNameWithin,
    maybeNameOf,
    names,
    saveLocale,
    maybeLocale,
    setReachable,
    isUnreachable,
  };
}
