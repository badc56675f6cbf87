import type { Context } from 'koa';
import {
  type Account,
  listMax,
  maybeSearchPosition,
  maybeSearchTerms,
  type PushSearchOptions,
  type PushState,
  pageSize,
  searchStep,
} from '../../domain/index.ts';
import { one } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { PageContext } from '../pageContext.ts';
import { pageNumberWithin } from '../pageQuery.ts';
import { type PushListPage, pushesPage } from '../pages/pushes.tsx';
import { selectedPushesPage } from '../pages/selectedPushes.tsx';
import {
  type PushListQuery,
  pushListPath,
  readChosen,
  readPushListQuery,
  selectionActions,
} from '../pushListQuery.ts';

const lastPageOf = (total: number) => Math.max(1, Math.ceil(total / pageSize));

/** The list of an account's pushes, and what can be done to several of them. */
export function pushListRoutes({ domain: { pushes }, pages }: WebDependencies): void {
  const several = { extend: pushes.extendAll, expire: pushes.expireAll };

  pages.own('/pushes', async ({ ctx, page, signedIn }) => {
    const query = readPushListQuery(new URLSearchParams(ctx.querystring));
    const terms = maybeSearchTerms(query);
    const before = maybeSearchPosition(query.before);
    const pageNumber = pageNumberWithin(ctx, lastPageOf(terms === undefined ? listMax : searchStep));
    const listed = await (terms === undefined
      ? list(signedIn, query, pageNumber)
      : find(signedIn, query.state, { ...terms, sort: query.sort, before }, pageNumber));
    return pushesPage(page, { ...listed, query, success: successOf(ctx, page) });
  });

  pages.own('/pushes/selected', async ({ ctx, page, signedIn }) => {
    const ids = [ctx.query.push ?? []].flat().slice(0, pageSize);
    return selectedPushesPage(page, {
      action: actionNamed(one(ctx.query.action)),
      pushes: await pushes.listLive(signedIn, ids),
      chosen: ids.length,
      query: listNamed(one(ctx.query.list)),
    });
  });

  pages.ownForm('/pushes/selected', async ({ signedIn, client, fields }) => {
    const done = actionNamed(fields.action);
    const chosen = readChosen(fields.pushes).slice(0, pageSize);
    const count = await several[done](chosen, { account: signedIn, client });
    return { to: pushListPath(listNamed(fields.list), { done, count: String(count) }) };
  });

  /** Counts only if there are other pages, because it takes as long as finding a page. Past the last page is the last one. */
  async function list(account: Account, query: PushListQuery, pageNumber: number): Promise<PushListPage> {
    const { state, kind, sort } = query;
    const found = await pushes.list({ account }, state, pageNumber, { kind, sort, lookahead: 1 });
    const listed = found.slice(0, pageSize);
    const read = (pageNumber - 1) * pageSize + listed.length;
    const isPast = found.length === 0 && pageNumber > 1;
    const isLast = found.length <= pageSize && !isPast;
    const total = isLast ? read : await pushes.count(account, state, { kind });
    if (isPast) return list(account, query, Math.min(pageNumber - 1, lastPageOf(total)));
    return { pushes: listed, hasMore: read < total, pageNumber, total, isCounted: total < listMax };
  }

  /** Stops once the page is full, so it knows how many there are only on the last page. There is none after that. */
  async function find(
    account: Account,
    state: PushState,
    search: PushSearchOptions,
    pageNumber: number,
  ): Promise<PushListPage> {
    const page = await pushes.search({ account }, state, pageNumber, search);
    if (page.pushes.length === 0 && pageNumber > 1) return find(account, state, search, 1);
    const total = (pageNumber - 1) * pageSize + page.pushes.length;
    return { ...page, pageNumber, total, isCounted: !page.hasMore };
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
