import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { type Account, DomainError, listMax, listPageSize, type PushState } from '../../domain/index.ts';
import { one } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { lifetimeMinutes } from '../lifetimes.ts';
import type { SignedInPageRequest } from '../pageHandlers.ts';
import { pageNumberWithin } from '../pageNumber.ts';
import { pushPage } from '../pages/push.tsx';
import { type PushListPage, pushesPage } from '../pages/pushes.tsx';
import { successText } from '../success.ts';

/** A search finds among the newest 5,000 pushes, and a log has fewer rows. */
const lastSearchPage = 100;

/** An account's pushes: the list, and the log of each. */
export function dashboardRoutes(router: Router, { domain: { pushes }, pages, links }: WebDependencies): void {
  router.get(
    '/pushes',
    pages.own(async ({ ctx, page, signedIn }) => {
      const state = one(ctx.query.state) === 'expired' ? 'expired' : 'active';
      const search = one(ctx.query.search)?.trim() ?? '';
      const listed = await (search === '' ? list(ctx, signedIn, state) : find(ctx, signedIn, state, search));
      return pushesPage(page, { ...listed, state, search });
    }),
  );

  router.get(
    '/pushes/:token',
    pages.own((request) => {
      const { expired, extended } = request.page.messages.pushes;
      return showPush(request, { success: successText(request.ctx, { expired, extended }) });
    }),
  );

  router.post(
    '/pushes/:token/expire',
    pages.ownForm(async (request) => {
      const { urlToken } = await ownPush(request);
      await pushes.expire(urlToken, callerOf(request));
      return { to: `/pushes/${urlToken}?done=expired` };
    }),
  );

  router.post(
    '/pushes/:token/extend',
    pages.ownForm(async (request) => {
      const { urlToken } = await ownPush(request);
      const minutes = lifetimeMinutes(request.fields.lifetime ?? '');
      await pushes.setExpiry(urlToken, { minutes }, callerOf(request));
      return { to: `/pushes/${urlToken}?done=extended` };
    }, showNotExtended),
  );

  async function list(ctx: Context, account: Account, state: PushState): Promise<PushListPage> {
    const total = await pushes.count(account, state);
    const lastPage = Math.max(1, Math.ceil(total / listPageSize));
    const pageNumber = pageNumberWithin(ctx, lastPage);
    const listed = await pushes.list(account, state, pageNumber);
    const isWhole = total < listMax;
    return { pushes: listed, hasMore: pageNumber < lastPage, pageNumber, ...(isWhole && { total }) };
  }

  async function find(
    ctx: Context,
    account: Account,
    state: PushState,
    search: string,
  ): Promise<PushListPage> {
    const pageNumber = pageNumberWithin(ctx, lastSearchPage);
    const found = await pushes.list(account, state, pageNumber, { search, lookahead: 1 });
    const listed = found.slice(0, listPageSize);
    return { pushes: listed, hasMore: found.length > listPageSize, pageNumber };
  }

  async function showPush(
    request: SignedInPageRequest,
    result: { success?: string | undefined; problem?: string },
  ) {
    const push = await ownPush(request);
    const pageNumber = pageNumberWithin(request.ctx, lastSearchPage);
    const log = await pushes.auditLog(push.urlToken, pageNumber, callerOf(request));
    const { settings } = pushes;
    const { page: linkTo } = links;
    return pushPage(request.page, { push, link: linkTo(push), linkTo, log, pageNumber, settings, ...result });
  }

  function showNotExtended(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || !['conflict', 'invalid'].includes(error.code)) return undefined;
    return showPush(request, { problem: request.page.messages.pushes.notLater });
  }

  const ownPush = (request: SignedInPageRequest) =>
    pushes.previewOwned(String(request.ctx.params.token), callerOf(request));
}

const callerOf = ({ signedIn, client }: SignedInPageRequest) => ({ account: signedIn, client });
