import type { Router } from '@koa/router';
import { maybeSearchPlace, maybeSearchTerms } from '../../domain/index.ts';
import { readParameter } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { readListOptions } from '../listOptions.ts';
import { readPage, readSearchPage } from '../pagination.ts';
import { presentListed } from '../presenters/push.ts';

/** `GET /p/active.json` and `GET /p/expired.json`. */
export function addPushLists(
  router: Router,
  { domain: { pushes }, auth, links }: ApiDependencies,
  { path }: { path: string },
): void {
  for (const state of ['active', 'expired'] as const) {
    router.get(`/${path}/${state}.json`, async (ctx) => {
      const { account } = await auth.requireAccount(ctx, 'read');
      const options = readListOptions(ctx);
      const terms = maybeSearchTerms(options);
      const { sort } = options;
      const before = readParameter(ctx, 'before', maybeSearchPlace);
      const found = await (terms === undefined
        ? readPage(ctx, links, (page) => pushes.list(account, state, page, options))
        : readSearchPage(ctx, links, (page) =>
            pushes.search(account, state, page, { ...terms, sort, before }),
          ));
      ctx.body = found.map((push) => presentListed(push, links));
    });
  }
}
