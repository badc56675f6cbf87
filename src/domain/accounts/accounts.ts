import { UniqueConstraintError } from 'sequelize';
import { z } from 'zod';
import { newId } from '../../crypto/ids.ts';
import { costs, type Passwords } from '../../crypto/passwords.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { decodeChoice, encodeChoice, type NoticeChoice, usualNotices } from '../notices/preferences.ts';
import { parseInput } from '../validation.ts';
import type { AccountModels } from './models.ts';

/** What a password has to be. */
export const password = z
  .string()
  .min(12, 'must have at least 12 characters')
  .max(1024, 'must have at most 1024 characters');

const newAccount = z.object({
  email: z
    .string()
    .max(254, 'must have at most 254 characters')
    .transform(normalised)
    .pipe(z.email('must be an e-mail address')),
  password: password.optional(),
  subscribed: z.boolean().default(false),
  isAdmin: z.boolean().default(false),
});

/** What belongs to who an account is in chats, and the column that says to whom. */
const ofSpeakers = [
  ['requests', 'requester'],
  ['chat_settings', 'address'],
  ['chat_messages', 'address'],
] as const;

/** What somebody has to give to make an account of their own. */
export const signUpInput = newAccount.pick({ email: true, password: true }).required();

/** Who owns pushes, as far as the rest of the domain and the adapters need to know. `notify` is an encoded choice. */
export type Owner = { id: Buffer; email: string; subscribed: boolean; notify: number };

/** An account as it is listed; times are epoch milliseconds. */
export type AccountEntry = Owner & { isAdmin: boolean; createdAt: number; disabledAt: number | null };

export type Accounts = ReturnType<typeof createAccounts>;

/** The people and programs that own pushes. */
export function createAccounts(database: Database, { Account }: AccountModels, passwords: Passwords) {
  const asOwner = ({ id, email, subscribed, notify }: Owner): Owner => ({
    id,
    email,
    subscribed: Boolean(subscribed),
    notify,
  });

  async function modelOf(email: string) {
    const account = await Account.findOne({ where: { email: normalised(email) } });
    if (account === null) throw new DomainError('not_found', `There is no account ${normalised(email)}.`);
    return account;
  }

  /** Makes an account. Refuses a malformed address, a short password, and an address that has an account. */
  async function create(input: z.input<typeof newAccount>): Promise<Owner> {
    const { email, password, subscribed, isAdmin } = parseInput(newAccount, input);
    const passwordHash = password === undefined ? null : await passwords.hash(password, costs.account);
    const account = { id: newId(), email, subscribed, notify: encodeChoice(usualNotices) };
    try {
      await Account.create({ ...account, isAdmin, passwordHash, createdAt: await database.clock() });
    } catch (error) {
      if (!(error instanceof UniqueConstraintError)) throw error;
      throw new DomainError('conflict', `There is already an account ${email}.`);
    }
    return account;
  }

  async function find(email: string): Promise<Owner> {
    return asOwner(await modelOf(email));
  }

  async function list(): Promise<AccountEntry[]> {
    const accounts = await Account.findAll({ order: [['email', 'ASC']] });
    return accounts.map((account) => ({
      ...asOwner(account),
      isAdmin: Boolean(account.isAdmin),
      createdAt: Number(account.createdAt),
      disabledAt: account.disabledAt === null ? null : Number(account.disabledAt),
    }));
  }

  /** Says whether the account may attach files. */
  async function setSubscribed(email: string, subscribed: boolean): Promise<Owner> {
    return asOwner(await (await modelOf(email)).update({ subscribed }));
  }

  /** Says whether the account may manage the others. */
  async function setAdmin(email: string, isAdmin: boolean): Promise<Owner> {
    return asOwner(await (await modelOf(email)).update({ isAdmin }));
  }

  /** Shuts an account out, with its tokens and browsers, or lets it in again; its pushes stay open to those who have links. */
  async function setDisabled(email: string, isDisabled: boolean): Promise<Owner> {
    const disabledAt = isDisabled ? await database.clock() : null;
    return asOwner(await (await modelOf(email)).update({ disabledAt }));
  }

  /** Keeps the language that somebody chose; null leaves it to the browser. */
  async function setLocale({ id }: Owner, locale: string | null): Promise<void> {
    await Account.update({ locale }, { where: { id } });
  }

  /** Changes what the account is told of pushes that do not say so themselves; gives the whole choice. */
  async function setNotices(
    { id, notify }: Pick<Owner, 'id' | 'notify'>,
    change: Partial<NoticeChoice>,
  ): Promise<NoticeChoice> {
    const choice = { ...decodeChoice(notify), ...change };
    await Account.update({ notify: encodeChoice(choice) }, { where: { id } });
    return choice;
  }

  /**
   * Erases an account with its tokens, its pushes, their logs and files, its webhooks and what waits for them, and with who
   * it is in chats, what was asked for there, and its settings.
   */
  async function erase(email: string): Promise<Owner> {
    const account = await modelOf(email);
    const bind = { id: account.id };
    await database.unitOfWork(async (transaction) => {
      const { forUpdate } = database.dialect;
      // what happens from here on waits, and then finds nothing to add to
      await database.rows(`SELECT id FROM accounts WHERE id = $id ${forUpdate}`, bind, { transaction });
      await database.rows(`SELECT COUNT(*) AS held FROM pushes WHERE account_id = $id ${forUpdate}`, bind, {
        transaction,
      });
      const mine = 'SELECT id FROM pushes WHERE account_id = $id';
      await database.change(`UPDATE files SET shred_at = 0 WHERE push_id IN (${mine})`, bind, {
        transaction,
      });
      for (const table of ['audit_rows', 'notices', 'download_grants']) {
        await database.change(`DELETE FROM ${table} WHERE push_id IN (${mine})`, bind, { transaction });
      }
      for (const [table, column] of ofSpeakers) {
        const isTheirs = `i.platform = ${table}.platform AND i.address = ${table}.${column}`;
        const whose = `SELECT 1 FROM chat_identities i WHERE i.account_id = $id AND ${isTheirs}`;
        await database.change(`DELETE FROM ${table} WHERE EXISTS (${whose})`, bind, { transaction });
      }
      for (const table of ['pushes', 'webhooks', 'recipients', 'chat_identities']) {
        await database.change(`DELETE FROM ${table} WHERE account_id = $id`, bind, { transaction });
      }
      await account.destroy({ transaction });
    });
    return asOwner(account);
  }

  /** What an account is told of pushes that do not say so themselves. */
  const noticesOf = ({ notify }: Pick<Owner, 'notify'>): NoticeChoice => decodeChoice(notify);

  return {
    create,
    find,
    list,
    setSubscribed,
    setAdmin,
    setDisabled,
    setLocale,
    noticesOf,
    setNotices,
    erase,
  };
}

/** E-mail addresses are told apart whatever their case; the names of accounts that chats made are not. */
export function normalised(email: string): string {
  const name = email.trim();
  return name.includes('@') ? name.toLowerCase() : name;
}
