import { newId } from '../../crypto/ids.ts';
import type { Database, Tx } from '../../database/database.ts';
import { StaleReadError } from '../../database/errors.ts';
import { DomainError, unavailable } from '../../errors.ts';
import type { Account } from '../accounts/accounts.ts';
import { allNotices, encodePreferences } from '../notices/preferences.ts';
import { createRecipients } from '../notices/recipients.ts';
import { accountNameOf, type ChatUser, maybeChatUserOf, type Platform, shortName } from './chatUser.ts';

/** Who an account is in a chat; times are epoch milliseconds. */
export type IdentitySummary = ChatUser & {
  /** How their chat calls them, once they have connected a browser. */
  name: string | null;
  connectedAt: number;
  /** null while our messages reach them. */
  unreachableSince: number | null;
  /** Whether the account was made for them, so that they cannot leave it. */
  isPrimary: boolean;
};

/** What joining an account means for a speaker. */
export type LinkPreview =
  | { effect: 'nothing' }
  /** The account that was made for them goes: its pushes come along, its API tokens end. */
  | { effect: 'merge'; pushes: number; tokens: number }
  /** They leave an account of this name, and what it has stays there. */
  | { effect: 'move'; from: string };

export type Identities = ReturnType<typeof createIdentities>;

/** Who people in a chat are to us: each has an account, made on first use, so chat, API and pages show the same pushes. */
export function createIdentities(database: Database) {
  const { select, execute, withRetries, transaction, dialect } = database;
  const recipients = createRecipients(database);

  /** The account of a speaker who was here before. */
  async function maybeAccount({ platform, address }: ChatUser, tx?: Tx): Promise<Account | undefined> {
    const [found] = await (tx ?? database).select<Account>(
      `SELECT a.id, a.email, a.subscribed, a.notify FROM chat_identities i JOIN accounts a ON a.id = i.account_id
       WHERE i.platform = $platform AND i.address = $address`,
      { platform, address },
    );
    return found && { ...found, subscribed: Boolean(found.subscribed) };
  }

  /** The account that a speaker's pushes belong to; makes it, and has its notices go to that chat, when there is none. */
  async function accountOf(chatUser: ChatUser): Promise<Account> {
    return (await maybeAccount(chatUser)) ?? transaction((tx) => createAccountFor(chatUser, tx));
  }

  async function createAccountFor(chatUser: ChatUser, tx: Tx): Promise<Account> {
    const id = newId();
    const name = accountNameOf(chatUser);
    const notify = encodePreferences(allNotices);
    const { platform, address } = chatUser;
    // of several at once one makes the account; the others wait for it here, and find it
    await tx.execute(
      `INSERT INTO accounts (id, email, subscribed, notify, created_at)
       VALUES ($id, $name, FALSE, $notify, ${dialect.now})
       ${dialect.onConflict('email')} email = ${dialect.excluded('email')}`,
      { id, name, notify },
    );
    await tx.execute(
      `INSERT INTO chat_identities (platform, address, account_id, created_at)
       SELECT $platform, $address, id, ${dialect.now} FROM accounts WHERE email = $name
       ${dialect.onConflict('platform, address')} address = ${dialect.excluded('address')}`,
      { platform, address, name },
    );
    const account = await maybeAccount(chatUser, tx);
    if (account === undefined) throw new Error('a speaker has no account');
    await recipients.add({ accountId: account.id, messenger: platform, address }, tx);
    return account;
  }

  /**
   * Joins a speaker to an account: from then on they are its owner, and its notices reach them. An account that was made
   * for them goes, with its API tokens; what else it had, and who else shared it, is that account's. Refuses with
   * `not_found` when the account is gone by then.
   */
  async function link(chatUser: ChatUser, { id: to }: Account): Promise<void> {
    await transaction(async (tx) => {
      const current = (await maybeAccount(chatUser, tx)) ?? (await createAccountFor(chatUser, tx));
      const from = current.id;
      if (from.equals(to)) return;
      await lockAccounts(from, to, tx);
      await moveIdentity(chatUser, from, to, tx);
      if (current.email === accountNameOf(chatUser)) await mergeInto(from, to, tx);
    });
  }

  /** What `join` would do. */
  async function previewLink(chatUser: ChatUser, { id }: Account): Promise<LinkPreview> {
    const current = await maybeAccount(chatUser);
    if (current === undefined) return { effect: 'merge', pushes: 0, tokens: 0 };
    if (current.id.equals(id)) return { effect: 'nothing' };
    if (current.email !== accountNameOf(chatUser)) return { effect: 'move', from: current.email };
    const countOf = async (table: string) => {
      const count = `SELECT COUNT(*) AS held FROM ${table} WHERE account_id = $from`;
      const [row] = await select<{ held: number }>(count, { from: current.id });
      return Number(row?.held);
    };
    return { effect: 'merge', pushes: await countOf('pushes'), tokens: await countOf('api_tokens') };
  }

  /** Who an account is in chats, the longest connected first. */
  async function list({ id, email }: Account): Promise<IdentitySummary[]> {
    const found = await select<Omit<IdentitySummary, 'isPrimary'>>(
      `SELECT platform, address, name, created_at AS connectedAt, unreachable_since AS unreachableSince
       FROM chat_identities WHERE account_id = $id ORDER BY created_at, platform, address`,
      { id },
    );
    return found.map((entry) => ({ ...entry, isPrimary: accountNameOf(entry) === email }));
  }

  /**
   * Parts a speaker from an account, which keeps its pushes; what happens to them is not told to that speaker any more,
   * whatever waits. They get an account of their own when they come again. Refuses with `not_found` who does not belong
   * to the account, and with `conflict` whom it was made for.
   */
  async function unlink(chatUser: ChatUser, { id }: Account): Promise<void> {
    const { platform, address } = chatUser;
    await transaction(async (tx) => {
      // the account first, as whoever joins or erases it does
      const [account] = await tx.select<{ email: string }>(
        `SELECT email FROM accounts WHERE id = $id ${dialect.forUpdate}`,
        { id },
      );
      if (account?.email === accountNameOf(chatUser))
        throw new DomainError('conflict', 'identityOwnsAccount');
      const deleted = await tx.execute(
        'DELETE FROM chat_identities WHERE platform = $platform AND address = $address AND account_id = $id',
        { platform, address, id },
      );
      if (deleted !== 1) throw new DomainError('not_found', 'identityNotLinked');
      await recipients.remove({ accountId: id, messenger: platform, address }, tx);
    });
  }

  /** Remembers how their chat calls a speaker. */
  async function setName({ platform, address }: ChatUser, name: string): Promise<void> {
    await withRetries(() =>
      execute('UPDATE chat_identities SET name = $name WHERE platform = $platform AND address = $address', {
        platform,
        address,
        name: shortName(name),
      }),
    );
  }

  /** How their chat calls whom an account was made for; null for all other accounts, and where we do not know. */
  async function maybeNameOf({ email }: Pick<Account, 'email'>): Promise<string | null> {
    const chatUser = maybeChatUserOf(email);
    if (chatUser === undefined) return null;
    const [found] = await select<{ name: string | null }>(
      'SELECT name FROM chat_identities WHERE platform = $platform AND address = $address',
      { ...chatUser },
    );
    return found?.name ?? null;
  }

  /** The same for all accounts, by their names, as far as there is anything to tell. */
  async function names(): Promise<Map<string, string>> {
    const found = await select<ChatUser & { name: string }>(
      'SELECT platform, address, name FROM chat_identities WHERE name IS NOT NULL',
      {},
    );
    return new Map(found.map((each) => [accountNameOf(each), each.name]));
  }

  /**
   * Keeps an account the speaker's until the transaction ends, for what is made for it then. Refuses with `unavailable` when
   * they have joined another meanwhile, or it was erased.
   */
  async function requireAccount({ platform, address }: ChatUser, { id }: Account, tx: Tx): Promise<void> {
    const [still] = await tx.select(
      `SELECT a.id FROM chat_identities i JOIN accounts a ON a.id = i.account_id
       WHERE i.platform = $platform AND i.address = $address AND a.id = $id ${dialect.forUpdate}`,
      { platform, address, id },
    );
    if (still === undefined) throw unavailable('accountChanged');
  }

  /** Both, in one order, for whoever joins or erases one of them at the same time. */
  async function lockAccounts(from: Buffer, to: Buffer, tx: Tx): Promise<void> {
    const locked = await tx.select<{ id: Buffer }>(
      `SELECT id FROM accounts WHERE id IN ($from, $to) ORDER BY id ${dialect.forUpdate}`,
      { from, to },
    );
    if (!locked.some(({ id }) => id.equals(to))) throw new DomainError('not_found', 'accountGone');
  }

  async function moveIdentity(chatUser: ChatUser, from: Buffer, to: Buffer, tx: Tx): Promise<void> {
    const { platform, address } = chatUser;
    const moved = await tx.execute(
      `UPDATE chat_identities SET account_id = $to, created_at = ${dialect.now}
       WHERE platform = $platform AND address = $address AND account_id = $from`,
      { platform, address, from, to },
    );
    if (moved !== 1) throw new StaleReadError();
    await recipients.remove({ accountId: from, messenger: platform, address }, tx);
    await recipients.add({ accountId: to, messenger: platform, address }, tx);
  }

  async function mergeInto(from: Buffer, to: Buffer, tx: Tx): Promise<void> {
    await recipients.move(from, to, tx);
    for (const table of ['pushes', 'webhooks', 'chat_identities'])
      await tx.execute(`UPDATE ${table} SET account_id = $to WHERE account_id = $from`, { from, to });
    await tx.execute('DELETE FROM accounts WHERE id = $from', { from });
  }

  /** Who the owner of a push is on a platform: nobody, one, or several. */
  async function ownersOf(pushId: string, platform: Platform): Promise<ChatUser[]> {
    return select<ChatUser>(
      `SELECT i.platform, i.address FROM pushes p JOIN chat_identities i ON i.account_id = p.account_id
       WHERE p.id = $id AND i.platform = $platform ORDER BY i.created_at`,
      { id: Buffer.from(pushId, 'hex'), platform },
    );
  }

  /** Remembers that no message reaches a speaker, or that one does again. */
  async function setReachable({ platform, address }: ChatUser, isReachable: boolean): Promise<void> {
    await execute(
      `UPDATE chat_identities SET unreachable_since = ${isReachable ? 'NULL' : dialect.now}
       WHERE platform = $platform AND address = $address AND unreachable_since IS ${isReachable ? 'NOT NULL' : 'NULL'}`,
      { platform, address },
    );
  }

  /** Whether the last message to a speaker did not reach them. */
  async function isUnreachable({ platform, address }: ChatUser): Promise<boolean> {
    const [found] = await select(
      `SELECT 1 FROM chat_identities
       WHERE platform = $platform AND address = $address AND unreachable_since IS NOT NULL`,
      { platform, address },
    );
    return found !== undefined;
  }

  return {
    maybeAccount,
    accountOf,
    requireAccount,
    ownersOf,
    list,
    names,
    maybeNameOf,
    setName,
    previewLink,
    link,
    unlink,
    setReachable,
    isUnreachable,
  };
}
