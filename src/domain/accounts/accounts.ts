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
  async function setNotices(email: string, change: Partial<NoticeChoice>): Promise<NoticeChoice> {
    const account = await modelOf(email);
    const choice = { ...decodeChoice(account.notify), ...change };
    await account.update({ notify: encodeChoice(choice) });
    return choice;
  }

  /** Erases an account with its tokens, its pushes, their logs and files, its webhooks and what waits for them. */
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
      for (const table of ['pushes', 'webhooks', 'recipients']) {
        await database.change(`DELETE FROM ${table} WHERE account_id = $id`, bind, { transaction });
      }
      await account.destroy({ transaction });
    });
    return asOwner(account);
  }

  return { create, find, list, setSubscribed, setNotices, erase };
}

function normalised(email: string): string {
  return email.trim().toLowerCase();
}
