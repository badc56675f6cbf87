import { UniqueConstraintError } from 'sequelize';
import { z } from 'zod';
import type { Database } from '../database.ts';
import { DomainError } from '../errors.ts';
import { newId } from '../ids.ts';
import { parseInput } from '../input.ts';
import { decodeChoice, encodeChoice, everyNotice, type NoticeChoice } from '../notifications/choice.ts';
import { costs, type Passwords } from '../passwords.ts';
import type { AccountModels } from './models.ts';

const newAccount = z.object({
  email: z
    .string()
    .max(254, 'must have at most 254 characters')
    .transform(normalised)
    .pipe(z.email('must be an e-mail address')),
  password: z
    .string()
    .min(12, 'must have at least 12 characters')
    .max(1024, 'must have at most 1024 characters')
    .optional(),
  subscribed: z.boolean().default(false),
});

/** What belongs to who an account is in chats, and the column that says to whom. */
const ofSpeakers = [
  ['requests', 'requester'],
  ['chat_settings', 'address'],
  ['chat_messages', 'address'],
] as const;

/** Who owns pushes, as far as the rest of the domain and the adapters need to know. `notify` is an encoded choice. */
export type Owner = { id: Buffer; email: string; subscribed: boolean; notify: number };

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
    const { email, password, subscribed } = parseInput(newAccount, input);
    const passwordHash = password === undefined ? null : await passwords.hash(password, costs.account);
    const account = { id: newId(), email, subscribed, notify: encodeChoice(everyNotice) };
    try {
      await Account.create({ ...account, passwordHash, createdAt: await database.clock() });
    } catch (error) {
      if (!(error instanceof UniqueConstraintError)) throw error;
      throw new DomainError('conflict', `There is already an account ${email}.`);
    }
    return account;
  }

  async function find(email: string): Promise<Owner> {
    return asOwner(await modelOf(email));
  }

  async function list(): Promise<(Owner & { createdAt: number })[]> {
    const accounts = await Account.findAll({ order: [['email', 'ASC']] });
    return accounts.map((account) => ({ ...asOwner(account), createdAt: Number(account.createdAt) }));
  }

  /** Says whether the account may attach files. */
  async function setSubscribed(email: string, subscribed: boolean): Promise<Owner> {
    return asOwner(await (await modelOf(email)).update({ subscribed }));
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
   * Erases an account with its tokens, its pushes and their logs, its webhooks and what waits for them, and with who it
   * is in chats, what was asked for there, and its settings.
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
      for (const table of ['audit_rows', 'notices']) {
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

  return { create, find, list, setSubscribed, noticesOf, setNotices, erase };
}

/** E-mail addresses are told apart whatever their case; the names of accounts that chats made are not. */
export function normalised(email: string): string {
  const name = email.trim();
  return name.includes('@') ? name.toLowerCase() : name;
}
