import { maybeId } from '../../crypto/ids.ts';
import { type Database, inList } from '../../database/database.ts';
import type { Account } from '../accounts/account.ts';
import type { FileList } from '../files/fileList.ts';
import { pageSize } from '../page.ts';
import type { PushFinder } from './find.ts';
import {
  createListConditions,
  foundBy,
  type ListFilter,
  listMax,
  orderBy,
  type PushListOptions,
  type PushState,
} from './listPage.ts';
import { createListPresenter } from './presentList.ts';
import type { ListedPush, PushRow } from './push.ts';
import type { PushRecipients } from './recipients.ts';
import { createPushSearch } from './search.ts';
import { pushColumns } from './tables.ts';

type Dependencies = {
  database: Database;
  fileList: FileList;
  finder: PushFinder;
  pushRecipients: Pick<PushRecipients, 'ofPushes' | 'searchTextsOf'>;
};

export type PushList = ReturnType<typeof createPushList>;

/** Lists the pushes of an account, the newest first unless sorted. Those that cannot be decrypted are listed, and marked. */
export function createPushList(dependencies: Dependencies) {
  const { select, dialect } = dependencies.database;
  const present = createListPresenter(dependencies);
  const columns = pushColumns(dialect.now);
  const conditionOf = createListConditions(dialect.now);
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

  /** Returns one page. The first page is 1. A search finds pushes among the newest 5,000. */
  async function list(
    account: Account,
    state: PushState,
    page: number,
    { search = '', recipient = '', ...options }: PushListOptions = {},
  ): Promise<ListedPush[]> {
    const { kind, sort = 'newest', pageSize: size = pageSize, lookahead = 0 } = options;
    const [from, limit] = [(page - 1) * size, size + lookahead];
    const terms = { text: search.trim(), recipient: recipient.trim() };
    if (terms.text !== '' || terms.recipient !== '') {
      const matches = await findMatches(account, state, { ...terms, kind, sort, enough: from + limit });
      return withIds(account, matches.slice(from, from + limit), orderBy[sort]);
    }
    const found = foundBy(conditionOf(state, { kind }), orderBy[sort], `LIMIT ${limit} OFFSET ${from}`);
    const rows = await select<PushRow>(`SELECT ${columns} FROM pushes JOIN ${found} ${orderBy[sort]}`, {
      accountId: account.id,
      kind: kind ?? null,
    });
    return present(rows);
  }

  /** Those of the account's pushes that have one of these ids, the newest first. */
  const listByIds = (account: Account, ids: string[]): Promise<ListedPush[]> =>
    withIds(
      account,
      ids.flatMap((id) => maybeId(id) ?? []),
      orderBy.newest,
    );

  async function withIds(account: Account, ids: Buffer[], order: string): Promise<ListedPush[]> {
    if (ids.length === 0) return [];
    const { names, binds } = inList(ids);
    const rows = await select<PushRow>(
      `SELECT ${columns} FROM pushes WHERE id IN (${names}) AND account_id = $accountId ${order}`,
      { ...binds, accountId: account.id },
    );
    return present(rows);
  }

  return { list, count, listByIds };
}
