import { maybeId } from '../../crypto/ids.ts';
import type { Database } from '../../database/database.ts';
import { columnsOf } from '../../database/table.ts';
import { DomainError } from '../../errors.ts';
import { pageSize } from '../base/index.ts';
import { type AccountSummary, toAccountSummary } from './account.ts';
import { type AccountRow, accountsTable, toAccountRow } from './tables.ts';

/** A page of the list, and how many accounts all pages have. */
type AccountPage = { accounts: AccountSummary[]; pageNumber: number; total: number };

/** The accounts of a server, for those who manage them. */
export function createAccountList({ select }: Database) {
  const columns = columnsOf(accountsTable);

  // INSTR compares literally, unlike LIKE, and reads the index of the addresses alone
  const matches = `INSTR(LOWER(email), $text) > 0
    OR id IN (SELECT account_id FROM chat_identities WHERE INSTR(LOWER(name), $text) > 0)`;

  /**
   * Returns one page of those accounts whose address, or the name of one of their chat users, contains a text, by address.
   * A page after the last one is the last one.
   */
  async function listPage(page: number, search = ''): Promise<AccountPage> {
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
  async function byId(id: string): Promise<AccountSummary> {
    const [row] = await select<AccountRow>(`SELECT ${columns} FROM accounts WHERE id = $id`, {
      id: maybeId(id) ?? Buffer.alloc(0),
    });
    if (row === undefined) throw new DomainError('not_found', 'accountErased');
    return toAccountSummary(toAccountRow(row));
  }

  return { listPage, byId };
}
