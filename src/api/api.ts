import type { Router } from '@koa/router';
import { createRouter } from '../http/router.ts';
import type { ApiDependencies } from './dependencies.ts';
import { accountApiRoutes } from './routes/account.ts';
import { auditExportRoutes } from './routes/auditExport.ts';
import { descriptionRoutes } from './routes/description.ts';
import { downloadRoutes } from './routes/downloads.ts';
import { extensionRoutes } from './routes/extension.ts';
import { oauthRoutes } from './routes/oauth.ts';
import { pushRoutes } from './routes/pushes.ts';
import { recipientRoutes } from './routes/recipients.ts';
import { requestLinkApiRoutes } from './routes/requestLinks.ts';
import { requestApiRoutes } from './routes/requests.ts';
import { trustRuleRoutes } from './routes/trustRules.ts';
import { webhookRoutes } from './routes/webhooks.ts';

const allRoutes = [
  pushRoutes,
  descriptionRoutes,
  auditExportRoutes,
  extensionRoutes,
  recipientRoutes,
  downloadRoutes,
  webhookRoutes,
  requestApiRoutes,
  requestLinkApiRoutes,
  trustRuleRoutes,
  oauthRoutes,
  accountApiRoutes,
];

/** The JSON API. */
export function createApi(dependencies: ApiDependencies): Router {
  const router = createRouter();
  router.use(dependencies.crossOrigin.share);
  for (const addRoutes of allRoutes) addRoutes(router, dependencies);
  addPreflights(router, dependencies);
  return router;
}

/** A preflight for each path that has none of its own. */
function addPreflights(router: Router, { crossOrigin }: ApiDependencies): void {
  const routes = router.stack.filter(({ methods }) => methods.length > 0);
  const byPath = new Map(routes.map((route) => [String(route.path), route]));
  for (const [path, { name, path: pattern }] of byPath) {
    const same = routes.filter((route) => String(route.path) === path);
    const methods = new Set(same.flatMap((route) => route.methods));
    if (!methods.has('OPTIONS'))
      router.options(name || path, pattern, crossOrigin.preflight([...methods].sort()));
  }
}
