import { UniqueConstraintError } from 'sequelize';
import type { z } from 'zod';
import { newId } from '../../crypto/ids.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { HashCaller, PasswordHasher } from '../limits/passwordHashers.ts';
import {
  decodePreferences,
  defaultNotices,
  encodePreferences,
  type NoticePreferences,
} from '../notices/preferences.ts';
import { parseInput } from '../validation.ts';
import { type Account, type AccountSummary, toAccount, toAccountSummary } from './account.ts';
import { createAccountList } from './accountList.ts';
import { accountSchema, normalizeEmail } from './accountSchema.ts';
import { createAccountErasure } from './erase.ts';
import { accountsTable } from './tables.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/** The people and programs that own pushes. */
export function createAccounts(database: Database, passwords: PasswordHasher) {
  const AccountModel = database.model(accountsTable);
  const eraseAccount = createAccountErasure(database);

  async function requireModel(email: string) {
    const account = await AccountModel.findOne({ where: { email: normalizeEmail(email) } });
    if (account === null)
      throw new DomainError('not_found', 'accountNotFound', { values: { email: normalizeEmail(email) } });
    return account;
  }

  /** Creates an account. Refuses a malformed address, a short password, and an address that has an account. */
  async function create(input: z.input<typeof accountSchema>, caller?: HashCaller): Promise<Account> {
    const { email, password, subscribed, isAdmin, signedUp } = parseInput(accountSchema, input);
    const passwordHash = password === undefined ? null : await passwords.hash(password, caller);
    const account = { id: newId(), email, subscribed, notify: encodePreferences(defaultNotices) };
    try {
      await AccountModel.create({
        ...account,
        isAdmin,
        signedUp,
        passwordHash,
        createdAt: await database.clock(),
      });
    } catch (error) {
      if (!(error instanceof UniqueConstraintError)) throw error;
      throw new DomainError('conflict', 'accountExists', { values: { email } });
    }
    return account;
  }

  async function find(email: string): Promise<Account> {
    return toAccount(await requireModel(email));
  }

  const exists = async (email: string): Promise<boolean> =>
    (await AccountModel.count({ where: { email: normalizeEmail(email) } })) > 0;

  async function list(): Promise<AccountSummary[]> {
    const accounts = await AccountModel.findAll({ order: [['email', 'ASC']] });
    return accounts.map(toAccountSummary);
  }

  const summary = async (email: string): Promise<AccountSummary> =>
    toAccountSummary(await requireModel(email));

  /** Sets whether the account may attach files. */
  async function setSubscribed(email: string, subscribed: boolean): Promise<Account> {
    return toAccount(await (await requireModel(email)).update({ subscribed }));
  }

  /** Sets whether the account may manage other accounts. */
  async function setAdmin(email: string, isAdmin: boolean): Promise<Account> {
    return toAccount(await (await requireModel(email)).update({ isAdmin }));
  }

  /**
   * Disables an account with its tokens and sessions, or enables it again. Its pushes stay open to those who have
   * links.
   */
  async function setDisabled(email: string, isDisabled: boolean): Promise<Account> {
    const disabledAt = isDisabled ? await database.clock() : null;
    return toAccount(await (await requireModel(email)).update({ disabledAt }));
  }

  /** Saves the chosen language. Null leaves it to the browser. */
  async function setLocale({ id }: Account, locale: string | null): Promise<void> {
    await AccountModel.update({ locale }, { where: { id } });
  }

  /** Changes the notice preferences for pushes without their own, and returns all preferences. */
  async function setNoticePreferences(
    { id, notify }: Pick<Account, 'id' | 'notify'>,
    change: Partial<NoticePreferences>,
  ): Promise<NoticePreferences> {
    const choice = { ...decodePreferences(notify), ...change };
    await AccountModel.update({ notify: encodePreferences(choice) }, { where: { id } });
    return choice;
  }

  /** Erases an account with everything that it owns. */
  async function erase(email: string): Promise<Account> {
    const account = toAccount(await requireModel(email));
    await eraseAccount(account);
    return account;
  }

  /** The notice preferences for pushes without their own. */
  const noticePreferencesOf = ({ notify }: Pick<Account, 'notify'>): NoticePreferences =>
    decodePreferences(notify);

  return {
    create,
    find,
    exists,
    list,
    ...createAccountList(database),
    summary,
    setSubscribed,
    setAdmin,
    setDisabled,
    setLocale,
    noticePreferencesOf,
    setNoticePreferences,
    erase,
  };
}
