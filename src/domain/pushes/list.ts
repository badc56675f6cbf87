import { maybeId } from '../../crypto/ids.ts';
import { urlTokenSha256 } from '../../crypto/tokens.ts';
import { type Database, inList } from '../../database/database.ts';
import { pageSize } from '../base/index.ts';
import type { FileList } from '../files/index.ts';
import { type Account, type ListCaller, seesLinks } from '../people/index.ts';
import type { PushFinder } from './find.ts';
import {
  createListQueries,
  type ListFilter,
  listMax,
  listSearchMax,
  maybeSearchTerms,
  orderBy,
  type PushListOptions,
  type PushSearchOptions,
  type PushState,
  searchStep,
  toSearchPositionText,
} from './listPage.ts';
import { isExpired, type ListedPush } from './push.ts';
import type { PushRecipients } from './recipients.ts';
import { createPushSearch } from './search.ts';
import { shownTo } from './shown.ts';
import { type PushRow, pushColumns, toPushRow } from './tables.ts';

type Dependencies = {
  database: Database;
  fileList: FileList;
  finder: PushFinder;
  pushRecipients: Pick<PushRecipients, 'ofPushes' | 'searchTextsOf'>;
};

/** What a page of a search has. There are further pages, or older pushes, or neither. */
type SearchPage = { pushes: ListedPush[]; hasMore: boolean; older: string | undefined };

export type PushList = ReturnType<typeof createPushList>;

/** Lists the pushes of an account, the newest first unless sorted. Those that cannot be decrypted are listed, and marked. */
export function createPushList(dependencies: Dependencies) {
  const { fileList, finder, pushRecipients } = dependencies;
  const { select, dialect } = dependencies.database;
  const columns = pushColumns(dialect.now);
  const { conditionOf, pageOf } = createListQueries(dialect.now);
  const findMatches = createPushSearch(dependencies);

  /** How many pushes of an account are in this state, up to `listMax`. */
  async function count(
    account: Account,
    state: PushState,
    filter: Pick<ListFilter, 'kind'> = {},
  ): Promise<number> {
    const [row] = await select<{ pushes: number }>(
      `SELECT COUNT(*) AS pushes FROM (SELECT 1 AS found FROM pushes
       WHERE account_id = $accountId AND ${conditionOf(state, filter)} LIMIT ${listMax}) counted`,
      { accountId: account.id, kind: filter.kind ?? null },
    );
    return Number(row?.pushes ?? 0);
  }

  /** Returns one page. The first page is 1. With a text to search for, it finds pushes among the newest 5,000. */
  async function list(
    caller: ListCaller,
    state: PushState,
    page: number,
    { pageSize: size = pageSize, lookahead = 0, ...options }: PushListOptions = {},
  ): Promise<ListedPush[]> {
    const { account } = caller;
    const { kind, sort = 'newest' } = options;
    const [from, limit] = [(page - 1) * size, size + lookahead];
    const terms = maybeSearchTerms(options);
    if (terms !== undefined) {
      const { ids } = await findMatches(account, state, {
        ...terms,
        sort,
        withLinks: seesLinks(caller),
        enough: from + limit,
        max: listSearchMax,
      });
      return withIds(caller, ids.slice(from, from + limit), orderBy[sort]);
    }
    const found = pageOf(state, { kind, sort, from, limit });
    const rows = await select<PushRow>(`SELECT ${columns} FROM pushes JOIN ${found} ${orderBy[sort]}`, {
      accountId: account.id,
      kind: kind ?? null,
    });
    return present(rows, caller);
  }

  /**
   * Returns one page of what a search finds among 2,500 pushes: the newest, or those before a position. On the last page,
   * `older` is where to go on, if there are pushes that it has not looked at. Links are not searched for a caller who may
   * not see them: the matches would spell them.
   */
  async function search(
    caller: ListCaller,
    state: PushState,
    page: number,
    { sort = 'newest', before, ...terms }: PushSearchOptions,
  ): Promise<SearchPage> {
    const { account } = caller;
    const [from, to] = [(page - 1) * pageSize, page * pageSize];
    const withLinks = seesLinks(caller);
    const search = { ...terms, sort, before, withLinks, enough: to + 1, max: searchStep };
    const { ids, older } = await findMatches(account, state, search);
    const hasMore = ids.length > to;
    return {
      pushes: await withIds(caller, ids.slice(from, to), orderBy[sort]),
      hasMore,
      older: hasMore ? undefined : older && toSearchPositionText(older),
    };
  }

  /** Those of the account's pushes that have one of these ids, the newest first. */
  const listByIds = (account: Account, ids: string[]): Promise<ListedPush[]> =>
    withIds(
      { account },
      ids.flatMap((id) => maybeId(id) ?? []),
      orderBy.newest,
    );

  async function withIds(caller: ListCaller, ids: Buffer[], order: string): Promise<ListedPush[]> {
    if (ids.length === 0) return [];
    const { names, binds } = inList(ids);
    const rows = await select<PushRow>(
      `SELECT ${columns} FROM pushes WHERE id IN (${names}) AND account_id = $accountId ${order}`,
      { ...binds, accountId: caller.account.id },
    );
    return present(rows, caller);
  }

  /** Opens selected pushes, with their files and recipients. */
  async function present(found: PushRow[], caller: ListCaller): Promise<ListedPush[]> {
    const openLabel = finder.createLabelReader();
    const rows = found.map(toPushRow).map((row) => ({ row, label: openLabel(row) }));
    const withFiles = rows.flatMap(({ row, label }) =>
      label !== undefined && row.fileCount > 0 && !isExpired(row)
        ? [{ id: row.id, urlToken: label.urlToken }]
        : [],
    );
    const [files, recipients] = await Promise.all([
      fileList.ofPushes(withFiles),
      pushRecipients.ofPushes(rows.map(({ row }) => row.id.toString('hex'))),
    ]);
    return rows.map(({ row, label }) => {
      if (label === undefined) return finder.presentUnreadable(row);
      const id = row.id.toString('hex');
      const linked = { ...label, urlTokenSha256: urlTokenSha256(label.urlToken) };
      const options = { files: files.get(id), recipients: recipients.get(id) };
      return shownTo(caller, finder.presentLabeled(row, linked, options));
    });
  }

  return { list, search, count, listByIds };
}
