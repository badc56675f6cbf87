import { type Database, inList } from '../../database/database.ts';
import { comparableText } from '../../text.ts';
import type { Account } from '../accounts/account.ts';
import type { FileList } from '../files/fileList.ts';
import type { PushFinder } from './find.ts';
import { isExpired, type ListedPush, type PushRow } from './push.ts';
import type { PushRecipients } from './recipients.ts';
import { pushColumns, toPushRow } from './tables.ts';

export type PushState = 'active' | 'expired';

type Dependencies = {
  database: Database;
  fileList: FileList;
  finder: PushFinder;
  pushRecipients: Pick<PushRecipients, 'ofPushes'>;
};

/** What a search reads of a push. */
type SearchedRow = Pick<PushRow, 'id' | 'tokenSealed' | 'name' | 'note' | 'createdAt'>;
/** A place in the order of the lists. */
type Place = Pick<PushRow, 'id' | 'createdAt'>;

/** `lookahead` further pushes tell whether there is another page. */
type PageOptions = { pageSize: number; lookahead: number };

/** Pushes on one page of a list. */
export const listPageSize = 50;
/** The lists end here, so that counting a long one costs no more than that. */
export const listMax = 10_000;
const wholePage: PageOptions = { pageSize: listPageSize, lookahead: 0 };

const newestFirst = 'ORDER BY created_at DESC, id DESC';
/** Before every push. */
const start: Place = { createdAt: Number.MAX_SAFE_INTEGER, id: Buffer.alloc(16) };

const searchBatch = 200; // decrypted and compared without a pause
const searchMax = 5_000;
/** More than the longest name, note and url token together. */
const searchBytesMax = 10_000;

/** Lists the pushes of an account, newest first. Those that cannot be decrypted are listed, and marked. */
export function createPushList({
  database: { select, dialect },
  fileList,
  finder,
  pushRecipients,
}: Dependencies) {
  const columns = pushColumns(dialect.now);
  const active = `expired_on IS NULL AND expires_at > ${dialect.now}`;
  const conditions: Record<PushState, string> = { active, expired: `NOT (${active})` };

  /** Finds pushes by the index `pushes_by_account` alone, so that those that are passed over are not read. */
  const found = (state: PushState, limit: string, condition = 'TRUE') =>
    `(SELECT id AS found_id FROM pushes WHERE account_id = $accountId AND ${conditions[state]} AND ${condition}
      ${newestFirst} ${limit}) found ON id = found_id`;

  /** How many pushes of an account are in this state, up to `listMax`. */
  async function count(account: Account, state: PushState): Promise<number> {
    const [row] = await select<{ pushes: number }>(
      `SELECT COUNT(*) AS pushes FROM (SELECT 1 AS found FROM pushes
       WHERE account_id = $accountId AND ${conditions[state]} LIMIT ${listMax}) counted`,
      { accountId: account.id },
    );
    return Number(row?.pushes ?? 0);
  }

  /** Returns one page. The first page is 1. */
  async function list(
    account: Account,
    state: PushState,
    page: number,
    { pageSize, lookahead }: PageOptions = wholePage,
  ): Promise<ListedPush[]> {
    const limit = `LIMIT ${pageSize + lookahead} OFFSET ${(page - 1) * pageSize}`;
    const rows = await select<PushRow>(
      `SELECT ${columns} FROM pushes JOIN ${found(state, limit)} ${newestFirst}`,
      { accountId: account.id },
    );
    return present(account, rows);
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
       FROM pushes JOIN ${found(state, `LIMIT ${searchBatch}`, isAfter)} ${newestFirst}`,
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

  async function present(account: Account, found: PushRow[]): Promise<ListedPush[]> {
    const rows = found.map(toPushRow).map((row) => ({ row, urlToken: finder.maybeUrlToken(row) }));
    const withFiles = rows.flatMap(({ row, urlToken }) =>
      urlToken !== undefined && row.fileCount > 0 && !isExpired(row) ? [{ id: row.id, urlToken }] : [],
    );
    const [files, recipients] = await Promise.all([
      fileList.ofPushes(withFiles),
      pushRecipients.ofPushes(rows.map(({ row }) => row.id.toString('hex'))),
    ]);
    return rows.map(({ row, urlToken }) => {
      if (urlToken === undefined) return finder.presentUnreadable(row);
      const id = row.id.toString('hex');
      return finder.present(row, urlToken, account, { files: files.get(id), recipients: recipients.get(id) });
    });
  }

  return { list, count, search };
}

function searchable(text: string): string | undefined {
  return comparableText(text, searchBytesMax)?.toLowerCase();
}
