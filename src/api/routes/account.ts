import type { Router } from '@koa/router';
import type { ApiDependencies } from '../dependencies.ts';
import { readPage } from '../pagination.ts';
import { presentSecurityEvent } from '../presenters/audit.ts';

/** What an account knows of itself. */
export function accountApiRoutes(
  router: Router,
  { domain: { securityLog }, auth, links }: ApiDependencies,
): void {
  router.get('/api/v1/account/security.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const events = await readPage(ctx, links, (page) => securityLog.list(account, page));
    ctx.body = { events: events.map(presentSecurityEvent) };
  });
}
