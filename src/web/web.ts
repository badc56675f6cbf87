import type { Router } from '@koa/router';
import type { Domain } from '../domain/index.ts';
import type { Http } from '../http/http.ts';
import type { ReadOpenApi } from '../http/openApi.ts';
import { createRouter } from '../http/router.ts';
import type { WebDependencies } from './dependencies.ts';
import { createPageRoutes } from './pageRoutes.ts';
import { createRevealNonces } from './revealNonce.ts';
import { accountRoutes } from './routes/account/account.ts';
import { chatRoutes } from './routes/account/chats.ts';
import { passwordLinkRoutes } from './routes/account/passwordLinks.ts';
import { sessionRoutes } from './routes/account/sessions.ts';
import { signInRoutes } from './routes/account/signIn.ts';
import { tokenRoutes } from './routes/account/tokens.ts';
import { webhookActionRoutes } from './routes/account/webhookActions.ts';
import { webhookPageRoutes } from './routes/account/webhooks.ts';
import { activityExportRoutes } from './routes/activityExport.ts';
import { adminRoutes } from './routes/admin.ts';
import { assetRoutes } from './routes/assets.ts';
import { bookmarkRoutes } from './routes/bookmarks.ts';
import { composeRoutes } from './routes/compose.ts';
import { connectRoutes } from './routes/connect.ts';
import { createdRoutes } from './routes/created.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { docsRoutes } from './routes/docs.ts';
import { informationRoutes } from './routes/information.ts';
import { installationRoutes } from './routes/installations.ts';
import { legacyLinkRoutes } from './routes/legacyLinks.ts';
import { newPushRoutes } from './routes/newPush.ts';
import { pushListRoutes } from './routes/pushList.ts';
import { requestRoutes } from './routes/requests.ts';
import { retrievalRoutes } from './routes/retrieval.ts';
import { retrievalActionRoutes } from './routes/retrievalActions.ts';
import { statusRoutes } from './routes/status.ts';

const allRoutes = [
  bookmarkRoutes, // before the pages of pushes, of which /p/new is none
  retrievalRoutes,
  retrievalActionRoutes,
  legacyLinkRoutes,
  newPushRoutes,
  composeRoutes,
  createdRoutes,
  statusRoutes,
  connectRoutes,
  activityExportRoutes,
  signInRoutes,
  passwordLinkRoutes,
  pushListRoutes, // before the pages of pushes, of which /pushes/selected is none
  dashboardRoutes,
  requestRoutes,
  accountRoutes,
  chatRoutes,
  tokenRoutes,
  webhookPageRoutes,
  webhookActionRoutes,
  sessionRoutes,
  adminRoutes,
  installationRoutes,
  docsRoutes,
  informationRoutes,
];

/** The pages, and what shows errors to people. */
export function createWeb({
  domain,
  readOpenApi,
  ...http
}: Http & { domain: Domain; readOpenApi: ReadOpenApi }) {
  const router = createRouter();
  const { pages, showErrors } = createPageRoutes(router, http);
  const revealNonces = createRevealNonces(domain.signing, http.cookies);
  const dependencies: WebDependencies = { router, domain, readOpenApi, ...http, pages, revealNonces };
  for (const addRoutes of allRoutes) addRoutes(dependencies);
  return { router, errors: showErrors };
}

/** The scripts, styles and images of the pages, which need no database. */
export function createAssets(): Router {
  const router = createRouter();
  assetRoutes(router);
  return router;
}
