import type { Router } from '@koa/router';
import { DomainError, type Person } from '../../domain/index.ts';
import type { ApiParts } from '../../http/app.ts';
import { one, pageOf } from '../../http/params.ts';
import type { Asked } from '../pageHandlers.ts';
import { lifetimeMinutes } from '../pages/lifetimes.ts';
import { pushesPage, pushPage } from '../pages/pushes.tsx';

type Own = Asked & { person: Person };

const pageSize = 50;

/** An account's pushes: the list, and what happened to each. */
export function dashboardRoutes(router: Router, { domain: { pushes }, pages, links }: ApiParts): void {
  router.get(
    '/pushes',
    pages.own(async ({ ctx, frame, person }) => {
      const state = one(ctx.query.state) === 'expired' ? 'expired' : 'active';
      const search = one(ctx.query.search)?.trim() ?? '';
      const page = pageOf(ctx);
      const found =
        search === ''
          ? await pushes.list(person, state, page)
          : await pushes.search(person, state, search, page);
      return pushesPage(frame, { pushes: found, state, search, page, hasOlder: found.length === pageSize });
    }),
  );

  router.get(
    '/pushes/:token',
    pages.own((asked) => {
      const { expired, extended } = asked.frame.words.pushes;
      return show(asked, { done: { expired, extended }[one(asked.ctx.query.done) ?? ''] });
    }),
  );

  router.post(
    '/pushes/:token/expire',
    pages.ownForm(async (asked) => {
      const { urlToken } = await own(asked);
      await pushes.expire(urlToken, { owner: asked.person, visit: asked.visit });
      return { to: `/pushes/${urlToken}?done=expired` };
    }),
  );

  router.post(
    '/pushes/:token/extend',
    pages.ownForm(
      async (asked) => {
        const { urlToken } = await own(asked);
        const minutes = lifetimeMinutes(asked.fields.lifetime ?? '');
        await pushes.endLater(urlToken, { minutes }, { owner: asked.person, visit: asked.visit });
        return { to: `/pushes/${urlToken}?done=extended` };
      },
      (asked, error) => {
        if (!(error instanceof DomainError) || !['conflict', 'invalid'].includes(error.code))
          return undefined;
        return show(asked, { problem: asked.frame.words.pushes.notLater });
      },
    ),
  );

  async function show(asked: Own, more: { done?: string | undefined; problem?: string }) {
    const { ctx, frame, person, visit } = asked;
    const push = await own(asked);
    const page = pageOf(ctx);
    const log = await pushes.auditLog(push.urlToken, page, { owner: person, visit });
    return pushPage(frame, { push, link: links.page(push), log, page, terms: pushes.settings, ...more });
  }

  const own = ({ ctx, person, visit }: Own) =>
    pushes.peekOwn(String(ctx.params.token), { owner: person, visit });
}
