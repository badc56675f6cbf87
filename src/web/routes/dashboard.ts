import type { Router } from '@koa/router';
import { DomainError } from '../../domain/index.ts';
import { one, pageNumberOf } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { lifetimeMinutes } from '../lifetimes.ts';
import type { SignedInPageRequest } from '../pageHandlers.ts';
import { pushPage } from '../pages/push.tsx';
import { pushesPage } from '../pages/pushes.tsx';
import { successText } from '../success.ts';

const pageSize = 50;

/** An account's pushes: the list, and the log of each. */
export function dashboardRoutes(router: Router, { domain: { pushes }, pages, links }: WebDependencies): void {
  router.get(
    '/pushes',
    pages.own(async ({ ctx, page, signedIn }) => {
      const state = one(ctx.query.state) === 'expired' ? 'expired' : 'active';
      const search = one(ctx.query.search)?.trim() ?? '';
      const pageNumber = pageNumberOf(ctx);
      const found = await (search === ''
        ? pushes.list(signedIn, state, pageNumber)
        : pushes.search(signedIn, state, search, pageNumber));
      const hasOlder = found.length === pageSize;
      return pushesPage(page, { pushes: found, state, search, pageNumber, hasOlder });
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

  async function showPush(
    request: SignedInPageRequest,
    result: { success?: string | undefined; problem?: string },
  ) {
    const push = await ownPush(request);
    const pageNumber = pageNumberOf(request.ctx);
    const log = await pushes.auditLog(push.urlToken, pageNumber, callerOf(request));
    const { settings } = pushes;
    return pushPage(request.page, { push, link: links.page(push), log, pageNumber, settings, ...result });
  }

  function showNotExtended(request: SignedInPageRequest, error: unknown) {
    if (!(error instanceof DomainError) || !['conflict', 'invalid'].includes(error.code)) return undefined;
    return showPush(request, { problem: request.page.messages.pushes.notLater });
  }

  const ownPush = (request: SignedInPageRequest) =>
    pushes.previewOwned(String(request.ctx.params.token), callerOf(request));
}

const callerOf = ({ signedIn, client }: SignedInPageRequest) => ({ account: signedIn, client });
