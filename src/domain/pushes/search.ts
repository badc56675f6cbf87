import { type Database, inList } from '../../database/database.ts';
import { comparableText } from '../../text.ts';
import type { Account } from '../accounts/account.ts';
import type { PushFinder } from './find.ts';
import {
  foundBy,
  listConditions,
  newestFirst,
  type PageOptions,
  type PushState,
  wholePage,
} from './listPage.ts';
import type { PresentList } from './presentList.ts';
import type { ListedPush, PushRow } from './push.ts';
import { pushColumns } from './tables.ts';

type Dependencies = { database: Database; finder: PushFinder; present: PresentList };

/** What a search reads of a push. */
type SearchedRow = Pick<PushRow, 'id' | 'tokenSealed' | 'name' | 'note' | 'createdAt'>;
/** A place in the order of the lists. */
type Place = Pick<PushRow, 'id' | 'createdAt'>;

/** Before every push. */
const start: Place = { createdAt: Number.MAX_SAFE_INTEGER, id: Buffer.alloc(16) };

const searchBatch = 200; // decrypted and compared without a pause
const searchMax = 5_000;
/** More than the longest name, note and url token together. */
const searchBytesMax = 10_000;

/** Searches the pushes of an account, newest first. */
export function createPushSearch({ database: { select, dialect }, finder, present }: Dependencies) {
  const columns = pushColumns(dialect.now);
  const conditions = listConditions(dialect.now);

  /**
   * Returns one page of those pushes whose name, note or link contains the query, among the newest 5,000. These fields
   * are encrypted, so the database cannot search them.
   */
  async function search(
    account: Account,
    state: PushState,
    query: string,
    page: number,
    { pageSize, lookahead }: PageOptions = wholePage,
  ): Promise<ListedPush[]> {
    const wanted = searchable(query);
    if (wanted === undefined) return [];
    const matches: Buffer[] = [];
    for await (const row of newest(account, state)) {
      if (searchableTextOf(row).includes(wanted)) matches.push(row.id);
      if (matches.length === page * pageSize + lookahead) break;
    }
    return byIds(account, matches.slice((page - 1) * pageSize));
  }

  /** Reads the newest 5,000 pushes in portions. What is created meanwhile changes nothing. */
  async function* newest(account: Account, state: PushState): AsyncGenerator<SearchedRow> {
    let last = start;
    for (let read = 0; read < searchMax; read += searchBatch) {
      const rows: SearchedRow[] = await after(last, account, state);
      yield* rows;
      if (rows.length < searchBatch) return;
      last = rows.at(-1) ?? start;
    }
  }

  function after({ createdAt, id }: Place, account: Account, state: PushState): Promise<SearchedRow[]> {
    const isAfter = 'created_at <= $createdAt AND (created_at < $createdAt OR id < $id)';
    return select<SearchedRow>(
      `SELECT id, token_sealed AS tokenSealed, name, note, created_at AS createdAt
       FROM pushes JOIN ${foundBy(`${conditions[state]} AND ${isAfter}`, `LIMIT ${searchBatch}`)} ${newestFirst}`,
      { accountId: account.id, createdAt, id },
    );
  }

  function searchableTextOf(row: SearchedRow): string {
    const urlToken = finder.maybeUrlToken(row);
    if (urlToken === undefined) return '';
    const { name, note } = finder.openLabels(row, urlToken);
    return searchable([name, note, urlToken].join('\n')) ?? '';
  }

  async function byIds(account: Account, ids: Buffer[]): Promise<ListedPush[]> {
    if (ids.length === 0) return [];
    const { names, binds } = inList(ids);
    const rows = await select<PushRow>(
      `SELECT ${columns} FROM pushes WHERE id IN (${names}) ${newestFirst}`,
      binds,
    );
    return present(account, rows);
  }

  return search;
}

function searchable(text: string): string | undefined {
  return comparableText(text, searchBytesMax)?.toLowerCase();
}
