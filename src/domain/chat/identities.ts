import type { Transaction } from 'sequelize';
import { newId } from '../../crypto/ids.ts';
import { type Database, StaleRead } from '../../database/database.ts';
import { DomainError, unavailable } from '../../errors.ts';
import type { Owner } from '../accounts/accounts.ts';
import { encodeChoice, everyNotice } from '../notices/preferences.ts';
import { createRecipients } from '../notices/recipients.ts';
import { accountNameOf, maybeSpeakerOf, type Platform, type Speaker, shortName } from './chatUser.ts';

/** Who an account is in a chat; times are epoch milliseconds. */
export type IdentityEntry = Speaker & {
  /** How their chat calls them, once they have connected a browser. */
  name: string | null;
  connectedAt: number;
  /** null while our messages reach them. */
  unreachableSince: number | null;
  /** Whether the account was made for them, so that they cannot leave it. */
  isMadeFor: boolean;
};

/** What joining an account means for a speaker. */
export type Joining =
  | { means: 'nothing' }
  /** The account that was made for them goes: its pushes come along, its API tokens end. */
  | { means: 'merge'; pushes: number; tokens: number }
  /** They leave an account of this name, and what it has stays there. */
  | { means: 'move'; from: string };

export type Identities = ReturnType<typeof createIdentities>;

/** Who people in a chat are to us: each has an account, made on first use, so chat, API and pages show the same pushes. */
export function createIdentities(database: Database) {
  const { rows, change, retrying, unitOfWork, dialect } = database;
  const recipients = createRecipients(database);

  /** The account of a speaker who was here before. */
  async function maybeOwner(
    { platform, address }: Speaker,
    transaction?: Transaction,
  ): Promise<Owner | undefined> {
    const [found] = await rows<Owner>(
      `SELECT a.id, a.email, a.subscribed, a.notify FROM chat_identities i JOIN accounts a ON a.id = i.account_id
       WHERE i.platform = $platform AND i.address = $address`,
      { platform, address },
      transaction && { transaction },
    );
    return found && { ...found, subscribed: Boolean(found.subscribed) };
  }

  /** The account that a speaker's pushes belong to; makes it, and has its notices go to that chat, when there is none. */
  async function ownerOf(speaker: Speaker): Promise<Owner> {
    return (await maybeOwner(speaker)) ?? unitOfWork((transaction) => ownerOfNewcomer(speaker, transaction));
  }

  async function ownerOfNewcomer(speaker: Speaker, transaction: Transaction): Promise<Owner> {
    const id = newId();
    const name = accountNameOf(speaker);
    const notify = encodeChoice(everyNotice);
    const { platform, address } = speaker;
    // of several at once one makes the account; the others wait for it here, and find it
    await change(
      `INSERT INTO accounts (id, email, subscribed, notify, created_at)
       VALUES ($id, $name, FALSE, $notify, ${dialect.now})
       ${dialect.onConflict('email')} email = ${dialect.wanted('email')}`,
      { id, name, notify },
      { transaction },
    );
    await change(
      `INSERT INTO chat_identities (platform, address, account_id, created_at)
       SELECT $platform, $address, id, ${dialect.now} FROM accounts WHERE email = $name
       ${dialect.onConflict('platform, address')} address = ${dialect.wanted('address')}`,
      { platform, address, name },
      { transaction },
    );
    const owner = await maybeOwner(speaker, transaction);
    if (owner === undefined) throw new Error('a speaker has no account');
    await recipients.add({ accountId: owner.id, messenger: platform, address }, transaction);
    return owner;
  }

  /**
   * Joins a speaker to an account: from then on they are its owner, and its notices reach them. An account that was made
   * for them goes, with its API tokens; what else it had, and who else shared it, is that account's. Refuses with
   * `not_found` when the account is gone by then.
   */
  async function join(speaker: Speaker, { id: to }: Owner): Promise<void> {
    await unitOfWork(async (transaction) => {
      const mine = (await maybeOwner(speaker, transaction)) ?? (await ownerOfNewcomer(speaker, transaction));
      const from = mine.id;
      if (from.equals(to)) return;
      await lockAccounts(from, to, transaction);
      await move(speaker, from, to, transaction);
      if (mine.email === accountNameOf(speaker)) await empty(from, to, transaction);
    });
  }

  /** What `join` would do. */
  async function foresee(speaker: Speaker, { id }: Owner): Promise<Joining> {
    const mine = await maybeOwner(speaker);
    if (mine === undefined) return { means: 'merge', pushes: 0, tokens: 0 };
    if (mine.id.equals(id)) return { means: 'nothing' };
    if (mine.email !== accountNameOf(speaker)) return { means: 'move', from: mine.email };
    const countOf = async (table: string) => {
      const count = `SELECT COUNT(*) AS held FROM ${table} WHERE account_id = $from`;
      const [row] = await rows<{ held: number }>(count, { from: mine.id });
      return Number(row?.held);
    };
    return { means: 'merge', pushes: await countOf('pushes'), tokens: await countOf('api_tokens') };
  }

  /** Who an account is in chats, the longest connected first. */
  async function list({ id, email }: Owner): Promise<IdentityEntry[]> {
    const found = await rows<Omit<IdentityEntry, 'isMadeFor'>>(
      `SELECT platform, address, name, created_at AS connectedAt, unreachable_since AS unreachableSince
       FROM chat_identities WHERE account_id = $id ORDER BY created_at, platform, address`,
      { id },
    );
    return found.map((entry) => ({ ...entry, isMadeFor: accountNameOf(entry) === email }));
  }

  /**
   * Parts a speaker from an account, which keeps its pushes; what happens to them is not told to that speaker any more,
   * whatever waits. They get an account of their own when they come again. Refuses with `not_found` who does not belong
   * to the account, and with `conflict` whom it was made for.
   */
  async function leave(speaker: Speaker, { id }: Owner): Promise<void> {
    const { platform, address } = speaker;
    await unitOfWork(async (transaction) => {
      // the account first, as whoever joins or erases it does
      const [account] = await rows<{ email: string }>(
        `SELECT email FROM accounts WHERE id = $id ${dialect.forUpdate}`,
        { id },
        { transaction },
      );
      if (account?.email === accountNameOf(speaker))
        throw new DomainError('conflict', 'The account was made for them. Delete it, or merge it.');
      const left = await change(
        'DELETE FROM chat_identities WHERE platform = $platform AND address = $address AND account_id = $id',
        { platform, address, id },
        { transaction },
      );
      if (left !== 1) throw new DomainError('not_found', 'The account is not connected to them.');
      await recipients.remove({ accountId: id, messenger: platform, address }, transaction);
    });
  }

  /** Remembers how their chat calls a speaker. */
  async function setName({ platform, address }: Speaker, name: string): Promise<void> {
    await retrying(() =>
      change('UPDATE chat_identities SET name = $name WHERE platform = $platform AND address = $address', {
        platform,
        address,
        name: shortName(name),
      }),
    );
  }

  /** How their chat calls whom an account was made for; null for all other accounts, and where we do not know. */
  async function nameFor({ email }: Pick<Owner, 'email'>): Promise<string | null> {
    const speaker = maybeSpeakerOf(email);
    if (speaker === undefined) return null;
    const [found] = await rows<{ name: string | null }>(
      'SELECT name FROM chat_identities WHERE platform = $platform AND address = $address',
      { ...speaker },
    );
    return found?.name ?? null;
  }

  /** The same for all accounts, by their names, as far as there is anything to tell. */
  async function names(): Promise<Map<string, string>> {
    const found = await rows<Speaker & { name: string }>(
      'SELECT platform, address, name FROM chat_identities WHERE name IS NOT NULL',
      {},
    );
    return new Map(found.map((each) => [accountNameOf(each), each.name]));
  }

  /**
   * Keeps an account the speaker's until the transaction ends, for what is made for it then. Refuses with `unavailable` when
   * they have joined another meanwhile, or it was erased.
   */
  async function requireOwner(
    { platform, address }: Speaker,
    { id }: Owner,
    transaction: Transaction,
  ): Promise<void> {
    const [still] = await rows(
      `SELECT a.id FROM chat_identities i JOIN accounts a ON a.id = i.account_id
       WHERE i.platform = $platform AND i.address = $address AND a.id = $id ${dialect.forUpdate}`,
      { platform, address, id },
      { transaction },
    );
    if (still === undefined) throw unavailable('Your account has just changed. Nothing was made. Try again.');
  }

  /** Both, in one order, for whoever joins or erases one of them at the same time. */
  async function lockAccounts(from: Buffer, to: Buffer, transaction: Transaction): Promise<void> {
    const there = await rows<{ id: Buffer }>(
      `SELECT id FROM accounts WHERE id IN ($from, $to) ORDER BY id ${dialect.forUpdate}`,
      { from, to },
      { transaction },
    );
    if (!there.some(({ id }) => id.equals(to))) throw new DomainError('not_found', 'The account is gone.');
  }

  async function move(speaker: Speaker, from: Buffer, to: Buffer, transaction: Transaction): Promise<void> {
    const { platform, address } = speaker;
    const moved = await change(
      `UPDATE chat_identities SET account_id = $to, created_at = ${dialect.now}
       WHERE platform = $platform AND address = $address AND account_id = $from`,
      { platform, address, from, to },
      { transaction },
    );
    if (moved !== 1) throw new StaleRead();
    await recipients.remove({ accountId: from, messenger: platform, address }, transaction);
    await recipients.add({ accountId: to, messenger: platform, address }, transaction);
  }

  async function empty(from: Buffer, to: Buffer, transaction: Transaction): Promise<void> {
    await recipients.move(from, to, transaction);
    for (const table of ['pushes', 'webhooks', 'chat_identities'])
      await change(
        `UPDATE ${table} SET account_id = $to WHERE account_id = $from`,
        { from, to },
        { transaction },
      );
    await change('DELETE FROM accounts WHERE id = $from', { from }, { transaction });
  }

  /** Who the owner of a push is on a platform: nobody, one, or several. */
  async function speakersOf(pushId: string, platform: Platform): Promise<Speaker[]> {
    return rows<Speaker>(
      `SELECT i.platform, i.address FROM pushes p JOIN chat_identities i ON i.account_id = p.account_id
       WHERE p.id = $id AND i.platform = $platform ORDER BY i.created_at`,
      { id: Buffer.from(pushId, 'hex'), platform },
    );
  }

  /** Remembers that no message reaches a speaker, or that one does again. */
  async function setReachable({ platform, address }: Speaker, isReachable: boolean): Promise<void> {
    await change(
      `UPDATE chat_identities SET unreachable_since = ${isReachable ? 'NULL' : dialect.now}
       WHERE platform = $platform AND address = $address AND unreachable_since IS ${isReachable ? 'NOT NULL' : 'NULL'}`,
      { platform, address },
    );
  }

  /** Whether the last message to a speaker did not reach them. */
  async function isUnreachable({ platform, address }: Speaker): Promise<boolean> {
    const [found] = await rows(
      `SELECT 1 FROM chat_identities
       WHERE platform = $platform AND address = $address AND unreachable_since IS NOT NULL`,
      { platform, address },
    );
    return found !== undefined;
  }

  return {
    maybeOwner,
    ownerOf,
    requireOwner,
    speakersOf,
    list,
    names,
    nameFor,
    setName,
    foresee,
    join,
    leave,
    setReachable,
    isUnreachable,
  };
}
