import type { Router } from '@koa/router';
import type { ApiDependencies } from '../dependencies.ts';
import { readPage } from '../pagination.ts';
import { presentIdentity, presentSecurityEvent } from '../presenters/audit.ts';

/** What an account knows of itself. */
export function accountApiRoutes(
  router: Router,
  { domain: { securityLog, singleSignOn }, auth, links }: ApiDependencies,
): void {
  router.get('/api/v1/account/security.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    const events = await readPage(ctx, links, (page) => securityLog.list(account, page));
    ctx.body = { events: events.map(presentSecurityEvent) };
  });

  router.get('/api/v1/account/identities.json', async (ctx) => {
    const { account } = await auth.requireAccount(ctx);
    ctx.body = { identities: (await singleSignOn.identitiesOf(account)).map(presentIdentity) };
  });
}
