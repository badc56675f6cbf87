import type { Router } from '@koa/router';
import type { Domain } from '../domain/index.ts';
import type { Http } from '../http/http.ts';
import type { OpenApi } from '../http/openApi.ts';
import { createRouter } from '../http/router.ts';
import type { WebDependencies } from './dependencies.ts';
import { createPageHandlers } from './pageHandlers.ts';
import { createRevealNonces } from './revealNonce.ts';
import { accountRoutes } from './routes/account/account.ts';
import { belongingsRoutes } from './routes/account/belongings.ts';
import { signInRoutes } from './routes/account/signIn.ts';
import { adminRoutes } from './routes/admin.ts';
import { assetRoutes } from './routes/assets.ts';
import { composeRoutes } from './routes/compose.ts';
import { connectRoutes } from './routes/connect.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { docsRoutes } from './routes/docs.ts';
import { newPushRoutes } from './routes/newPush.ts';
import { requestRoutes } from './routes/requests.ts';
import { retrievalRoutes } from './routes/retrieval.ts';

/** The pages. */
export function createWeb({ domain, openApi, ...http }: Http & { domain: Domain; openApi: OpenApi }): Router {
  const router = createRouter();
  const dependencies: WebDependencies = {
    domain,
    openApi,
    ...http,
    pages: createPageHandlers(http),
    revealNonces: createRevealNonces(domain.signing, http.cookies),
  };
  docsRoutes(router, dependencies);
  retrievalRoutes(router, dependencies);
  newPushRoutes(router, dependencies);
  signInRoutes(router, dependencies);
  accountRoutes(router, dependencies);
  belongingsRoutes(router, dependencies);
  dashboardRoutes(router, dependencies);
  requestRoutes(router, dependencies);
  adminRoutes(router, dependencies);
  composeRoutes(router, dependencies);
  connectRoutes(router, dependencies);
  return router;
}

/** The scripts, styles and images of the pages, which need no database. */
export function createAssets(): Router {
  const router = createRouter();
  assetRoutes(router);
  return router;
}
