import type { Router } from '@koa/router';
import { maybeSearchPosition, maybeSearchTerms } from '../../domain/index.ts';
import { readParameter } from '../../http/params.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { readListOptions } from '../listOptions.ts';
import { readPage, readSearchPage } from '../pagination.ts';
import { presentPush } from '../presenters/push.ts';

/** `GET /p/active.json` and `GET /p/expired.json`. */
export function addPushLists(
  router: Router,
  { domain: { pushes }, auth, links }: ApiDependencies,
  { path }: { path: string },
): void {
  for (const state of ['active', 'expired'] as const) {
    router.get(`/${path}/${state}.json`, async (ctx) => {
      const caller = await auth.requireAccount(ctx, 'read');
      const options = readListOptions(ctx);
      const terms = maybeSearchTerms(options);
      const { sort } = options;
      const before = readParameter(ctx, 'before', maybeSearchPosition);
      const found = await (terms === undefined
        ? readPage(ctx, links, (page) => pushes.list(caller.account, state, page, options))
        : readSearchPage(ctx, links, (page) =>
            pushes.search(caller, state, page, { ...terms, sort, before }),
          ));
      ctx.body = found.map((push) => presentPush(push, links, caller));
    });
  }
}
