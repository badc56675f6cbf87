import type { Database } from '../../database/database.ts';
import type { Account } from '../accounts/account.ts';
import type { FileList } from '../files/fileList.ts';
import type { PushFinder } from './find.ts';
import {
  foundBy,
  listConditions,
  listMax,
  newestFirst,
  type PageOptions,
  type PushState,
  wholePage,
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
  pushRecipients: Pick<PushRecipients, 'ofPushes'>;
};

/** Lists the pushes of an account, newest first. Those that cannot be decrypted are listed, and marked. */
export function createPushList(dependencies: Dependencies) {
  const { select, dialect } = dependencies.database;
  const present = createListPresenter(dependencies);
  const columns = pushColumns(dialect.now);
  const conditions = listConditions(dialect.now);

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
      `SELECT ${columns} FROM pushes JOIN ${foundBy(conditions[state], limit)} ${newestFirst}`,
      { accountId: account.id },
    );
    return present(account, rows);
  }

  return { list, count, search: createPushSearch({ ...dependencies, present }) };
}
