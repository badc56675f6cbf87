import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { type Account, listMax, pageSize, searchMax } from '../../domain/index.ts';
import { one } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import { pageNumberWithin } from '../pageNumber.ts';
import { type PushListPage, pushesPage } from '../pages/pushes.tsx';
import { selectedPushesPage } from '../pages/selectedPushes.tsx';
import {
  type PushListQuery,
  pushListPath,
  readChosen,
  readPushListQuery,
  selectionActions,
} from '../pushListQuery.ts';

const lastSearchPage = searchMax / pageSize;

/** The list of an account's pushes, and what can be done to several of them. */
export function pushListRoutes(router: Router, { domain: { pushes }, pages }: WebDependencies): void {
  const several = { extend: pushes.extendAll, expire: pushes.expireAll };

  router.get(
    '/pushes',
    pages.own(async ({ ctx, page, signedIn }) => {
      const query = readPushListQuery(new URLSearchParams(ctx.querystring));
      const isSearch = query.search !== '' || query.recipient !== '';
      const listed = await (isSearch
        ? find(signedIn, query, pageNumberWithin(ctx, lastSearchPage))
        : list(ctx, signedIn, query));
      return pushesPage(page, { ...listed, query, success: successOf(ctx, page) });
    }),
  );

  router.get(
    '/pushes/selected',
    pages.own(async ({ ctx, page, signedIn }) => {
      const ids = [ctx.query.push ?? []].flat().slice(0, pageSize);
      return selectedPushesPage(page, {
        action: actionNamed(one(ctx.query.action)),
        pushes: await pushes.listLive(signedIn, ids),
        chosen: ids.length,
        query: listNamed(one(ctx.query.list)),
      });
    }),
  );

  router.post(
    '/pushes/selected',
    pages.ownForm(async ({ signedIn, client, fields }) => {
      const done = actionNamed(fields.action);
      const chosen = readChosen(fields.pushes).slice(0, pageSize);
      const count = await several[done](chosen, { account: signedIn, client });
      return { to: pushListPath(listNamed(fields.list), { done, count: String(count) }) };
    }),
  );

  async function list(ctx: Context, account: Account, query: PushListQuery): Promise<PushListPage> {
    const { state, kind, sort } = query;
    const total = await pushes.count(account, state, { kind });
    const lastPage = Math.max(1, Math.ceil(total / pageSize));
    const pageNumber = pageNumberWithin(ctx, lastPage);
    const listed = await pushes.list(account, state, pageNumber, { kind, sort });
    return { pushes: listed, hasMore: pageNumber < lastPage, pageNumber, total, isCounted: total < listMax };
  }

  /** Stops once the page is full, so it knows how many there are only on the last page. There is none after that. */
  async function find(account: Account, query: PushListQuery, pageNumber: number): Promise<PushListPage> {
    const found = await pushes.list(account, query.state, pageNumber, { ...query, lookahead: 1 });
    if (found.length === 0 && pageNumber > 1) return find(account, query, 1);
    const listed = found.slice(0, pageSize);
    const hasMore = found.length > pageSize;
    const total = (pageNumber - 1) * pageSize + listed.length;
    const sawAll = hasMore || (await pushes.count(account, query.state, query)) <= searchMax;
    const searched = sawAll ? {} : { searched: searchMax };
    return { pushes: listed, hasMore, pageNumber, total, isCounted: !hasMore, ...searched };
  }
}

const actionNamed = (text: string | undefined) =>
  selectionActions.find((action) => action === text) ?? 'extend';

const listNamed = (text = ''): PushListQuery => readPushListQuery(new URLSearchParams(text));

/** Says how many pushes were just extended or deleted. */
function successOf({ query }: Context, { messages }: PageContext): string | undefined {
  const done = selectionActions.find((action) => action === one(query.done));
  const count = Number(one(query.count));
  if (done === undefined || !Number.isInteger(count) || count < 0 || count > pageSize) return undefined;
  return messages.pushes.several[done].done(count);
}
