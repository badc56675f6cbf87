import type { z } from 'zod';
import { newId, toId } from '../../crypto/ids.ts';
import type { Database } from '../../database/database.ts';
import { refuseDuplicate } from '../../database/errors.ts';
import { columnsOf } from '../../database/table.ts';
import { DomainError } from '../../errors.ts';
import { pageSize, parseInput } from '../base/index.ts';
import type { HashCaller, PasswordHasher } from '../limits/index.ts';
import {
  decodePreferences,
  defaultNotices,
  encodePreferences,
  type NoticePreferences,
} from '../outbox/index.ts';
import type { Account } from '../people/index.ts';
import { type AccountSummary, addressTaken, toAccount, toAccountSummary } from './account.ts';
import { accountSchema, normalizeEmail } from './accountSchema.ts';
import { createAccountSwitches, refuseUnknown } from './accountSwitches.ts';
import type { AccountAct, AccountActs, Actor } from './acts.ts';
import { createAccountErasure } from './erase.ts';
import type { StepUp } from './factors/stepUp.ts';
import { type AccountRow, accountsTable, toAccountRow } from './tables.ts';

export type Accounts = ReturnType<typeof createAccounts>;

type Dependencies = { database: Database; passwords: PasswordHasher; acts: AccountActs; stepUp: StepUp };

/** The people and programs that own pushes. */
export function createAccounts({ database, passwords, acts, stepUp }: Dependencies) {
  const AccountModel = database.model(accountsTable);
  const eraseAccount = createAccountErasure(database);

  async function requireModel(given: string) {
    const email = normalizeEmail(given);
    return (await AccountModel.findOne({ where: { email } })) ?? refuseUnknown(email);
  }

  /** Creates an account. Refuses a malformed address, a short password, and an address that has an account. */
  async function create(input: z.input<typeof accountSchema>, caller?: HashCaller): Promise<Account> {
    const { email, password, subscribed, isAdmin, signedUp } = parseInput(accountSchema, input);
    const passwordHash = password === undefined ? null : await passwords.hash(password, caller);
    const account = { id: newId(), email, subscribed, notify: encodePreferences(defaultNotices) };
    const createdAt = await database.clock();
    await AccountModel.create({ ...account, isAdmin, signedUp, passwordHash, createdAt }).catch(
      refuseDuplicate(() => addressTaken(email)),
    );
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

  /** Saves the chosen language. Null leaves it to the browser. */
  async function setLocale({ id }: Account, locale: string | null): Promise<void> {
    await AccountModel.update({ locale }, { where: { id } });
  }

  /** Saves what the form on the web suggests to this account, as the pages write it: at most 255 characters. */
  async function setFormDefaults({ id }: Account, formDefaults: string): Promise<void> {
    await AccountModel.update({ formDefaults }, { where: { id } });
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

  /**
   * Erases an account with everything that it owns. Throws `forbidden` for another account that is no admin, and for whoever has not
   * signed in just now.
   */
  async function erase(email: string, actor: Actor): Promise<Account> {
    const account = toAccount(await requireModel(email));
    await eraseAccount(account, async (tx) => {
      if (actor !== 'operator') await stepUp.requireFresh(actor, tx);
      await acts.record({ kind: 'deleted', account }, actor, tx);
    });
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
    ...createAccountList(database, acts),
    summary,
    ...createAccountSwitches(database, acts),
    setLocale,
    setFormDefaults,
    noticePreferencesOf,
    setNoticePreferences,
    erase,
    /** What admins and operators did to one account, or to all, newest first. Throws `forbidden` for other accounts. */
    async acts(actor: Actor, account?: string): Promise<AccountAct[]> {
      await acts.requireManager(actor);
      return acts.list(account);
    },
    purgeActs: acts.purge,
  };
}

/** A page of the list, and how many accounts all pages have. */
type AccountPage = { accounts: AccountSummary[]; pageNumber: number; total: number };

/** The accounts of a server, for those who manage them. Throws `forbidden` for an account that is no admin. */
function createAccountList({ select }: Database, acts: Pick<AccountActs, 'requireManager'>) {
  const columns = columnsOf(accountsTable);

  // INSTR compares literally, unlike LIKE, and reads the index of the addresses alone
  const matches = `INSTR(LOWER(email), $text) > 0
    OR id IN (SELECT account_id FROM chat_identities WHERE INSTR(LOWER(name), $text) > 0)`;

  /**
   * Returns one page of those accounts whose address, or the name of one of their chat users, contains a text, by address.
   * A page after the last one is the last one.
   */
  async function listPage(actor: Actor, page: number, search = ''): Promise<AccountPage> {
    await acts.requireManager(actor);
    const text = search.trim().toLowerCase();
    const condition = text === '' ? '' : `WHERE ${matches}`;
    const [counted] = await select<{ total: number }>(`SELECT COUNT(*) AS total FROM accounts ${condition}`, {
      text,
    });
    const total = Number(counted?.total ?? 0);
    const pageNumber = Math.min(page, Math.max(1, Math.ceil(total / pageSize)));
    const rows = await select<AccountRow>(
      `SELECT ${columns} FROM accounts JOIN (SELECT id AS found_id FROM accounts ${condition}
         ORDER BY email LIMIT ${pageSize} OFFSET ${(pageNumber - 1) * pageSize}) found ON id = found_id
       ORDER BY email`,
      { text },
    );
    return { accounts: rows.map((row) => toAccountSummary(toAccountRow(row))), pageNumber, total };
  }

  /** Throws `not_found` if there is no account with this id. */
  async function byId(actor: Actor, id: string): Promise<AccountSummary> {
    await acts.requireManager(actor);
    const [row] = await select<AccountRow>(`SELECT ${columns} FROM accounts WHERE id = $id`, {
      id: toId(id),
    });
    if (row === undefined) throw new DomainError('not_found', 'accountErased');
    return toAccountSummary(toAccountRow(row));
  }

  return { listPage, byId };
}
