import type { Database } from '../../database/database.ts';
import { comparableText } from '../../text.ts';
import type { Account } from '../accounts/account.ts';
import type { FileList } from '../files/fileList.ts';
import type { PushFinder } from './find.ts';
import { isExpired, type ListedPush, type PushRow } from './push.ts';
import { pushColumns, toPushRow } from './tables.ts';

export type PushState = 'active' | 'expired';

type Slice = { from: number; count: number };
type Dependencies = { database: Database; fileList: FileList; finder: PushFinder };

const pageSize = 50;
const searchBatch = 200; // decrypted and compared without a pause
const searchMax = 5_000;
/** More than the longest name, note and url token together. */
const searchBytesMax = 10_000;

/** Lists the pushes of an account, newest first. Those that cannot be decrypted are listed, and marked. */
export function createPushList({ database: { select, dialect }, fileList, finder }: Dependencies) {
  const columns = pushColumns(dialect.now);
  const active = `expired_on IS NULL AND expires_at > ${dialect.now}`;
  const conditions: Record<PushState, string> = { active, expired: `NOT (${active})` };

  /** Returns one page of 50. The first page is 1. */
  async function list(account: Account, state: PushState, page: number): Promise<ListedPush[]> {
    return slice(account, state, { from: (page - 1) * pageSize, count: pageSize });
  }

  async function slice(account: Account, state: PushState, { from, count }: Slice): Promise<ListedPush[]> {
    const found = await select<PushRow>(
      `SELECT ${columns} FROM pushes WHERE account_id = $accountId AND ${conditions[state]}
       ORDER BY created_at DESC, id DESC LIMIT ${count} OFFSET ${from}`,
      { accountId: account.id },
    );
    const rows = found.map(toPushRow).map((row) => ({ row, urlToken: finder.maybeUrlToken(row) }));
    const withFiles = rows.flatMap(({ row, urlToken }) =>
      urlToken !== undefined && row.fileCount > 0 && !isExpired(row) ? [{ id: row.id, urlToken }] : [],
    );
    const files = await fileList.ofPushes(withFiles);
    return rows.map(({ row, urlToken }) =>
      urlToken === undefined
        ? finder.presentUnreadable(row)
        : finder.present(row, urlToken, account, files.get(row.id.toString('hex'))),
    );
  }

  /**
   * Like `list`, but only pushes whose name, note or link contains the query, among the newest 5,000. These fields
   * are encrypted, so the database cannot search them.
   */
  async function search(
    account: Account,
    state: PushState,
    query: string,
    page: number,
  ): Promise<ListedPush[]> {
    const wanted = searchable(query);
    if (wanted === undefined) return [];
    const matches: ListedPush[] = [];
    for (let from = 0; from < searchMax && matches.length < page * pageSize; from += searchBatch) {
      const found = await slice(account, state, { from, count: searchBatch });
      matches.push(...found.filter((push) => searchableTextOf(push).includes(wanted)));
      if (found.length < searchBatch) break;
    }
    return matches.slice((page - 1) * pageSize, page * pageSize);
  }

  return { list, search };
}

function searchableTextOf({ name, note, urlToken }: ListedPush): string {
  return searchable([name, note, urlToken].join('\n')) ?? '';
}

function searchable(text: string): string | undefined {
  return comparableText(text, searchBytesMax)?.toLowerCase();
}
