import type { Router } from '@koa/router';
import { DomainError, type SignedIn } from '../../domain/index.ts';
import { one, pageNumberOf } from '../../http/params.ts';
import type { WebDependencies } from '../dependencies.ts';
import { lifetimeMinutes } from '../lifetimes.ts';
import type { PageRequest } from '../pageHandlers.ts';
import { pushPage } from '../pages/push.tsx';
import { pushesPage } from '../pages/pushes.tsx';

type OwnPageRequest = PageRequest & { signedIn: SignedIn };

const pageSize = 50;

/** An account's pushes: the list, and what happened to each. */
export function dashboardRoutes(router: Router, { domain: { pushes }, pages, links }: WebDependencies): void {
  router.get(
    '/pushes',
    pages.own(async ({ ctx, page, signedIn }) => {
      const state = one(ctx.query.state) === 'expired' ? 'expired' : 'active';
      const search = one(ctx.query.search)?.trim() ?? '';
      const pageNumber = pageNumberOf(ctx);
      const found =
        search === ''
          ? await pushes.list(signedIn, state, pageNumber)
          : await pushes.search(signedIn, state, search, pageNumber);
      return pushesPage(page, {
        pushes: found,
        state,
        search,
        pageNumber,
        hasOlder: found.length === pageSize,
      });
    }),
  );

  router.get(
    '/pushes/:token',
    pages.own((request) => {
      const { expired, extended } = request.page.messages.pushes;
      return showPush(request, { success: { expired, extended }[one(request.ctx.query.done) ?? ''] });
    }),
  );

  router.post(
    '/pushes/:token/expire',
    pages.ownForm(async (request) => {
      const { urlToken } = await ownPush(request);
      await pushes.expire(urlToken, { account: request.signedIn, client: request.client });
      return { to: `/pushes/${urlToken}?done=expired` };
    }),
  );

  router.post(
    '/pushes/:token/extend',
    pages.ownForm(
      async (request) => {
        const { urlToken } = await ownPush(request);
        const minutes = lifetimeMinutes(request.fields.lifetime ?? '');
        await pushes.setExpiry(urlToken, { minutes }, { account: request.signedIn, client: request.client });
        return { to: `/pushes/${urlToken}?done=extended` };
      },
      (request, error) => {
        if (!(error instanceof DomainError) || !['conflict', 'invalid'].includes(error.code))
          return undefined;
        return showPush(request, { problem: request.page.messages.pushes.notLater });
      },
    ),
  );

  async function showPush(request: OwnPageRequest, more: { success?: string | undefined; problem?: string }) {
    const { ctx, page, signedIn, client } = request;
    const push = await ownPush(request);
    const pageNumber = pageNumberOf(ctx);
    const log = await pushes.auditLog(push.urlToken, pageNumber, { account: signedIn, client });
    return pushPage(page, {
      push,
      link: links.page(push),
      log,
      pageNumber,
      settings: pushes.settings,
      ...more,
    });
  }

  const ownPush = ({ ctx, signedIn, client }: OwnPageRequest) =>
    pushes.previewOwned(String(ctx.params.token), { account: signedIn, client });
}
