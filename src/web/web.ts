import { extname } from 'node:path';
import type { Router } from '@koa/router';
import type { Domain } from '../domain/index.ts';
import { RequestError } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import type { ReadOpenApi } from '../http/openApi.ts';
import { createRouter } from '../http/router.ts';
import { imagePolicy } from '../http/securityHeaders.ts';
import { imagesOf, type Look } from '../look/look.ts';
import { assets, compressedAsset } from './assets.ts';
import type { WebDependencies } from './dependencies.ts';
import { createPageRoutes } from './pageRoutes.ts';
import { createRevealNonces } from './revealNonce.ts';
import { accountRoutes } from './routes/account/account.ts';
import { chatRoutes } from './routes/account/chats.ts';
import { deviceRoutes } from './routes/account/device.ts';
import { factorRoutes } from './routes/account/factors.ts';
import { mailLinkRoutes } from './routes/account/mailLinks.ts';
import { passkeyRoutes } from './routes/account/passkeys.ts';
import { passwordLinkRoutes } from './routes/account/passwordLinks.ts';
import { secondFactorRoutes } from './routes/account/secondFactor.ts';
import { securityRoutes } from './routes/account/security.ts';
import { signInRoutes } from './routes/account/signIn.ts';
import { singleSignOnRoutes } from './routes/account/singleSignOn.ts';
import { tokenRoutes } from './routes/account/tokens.ts';
import { trustRulePageRoutes } from './routes/account/trustRules.ts';
import { webhookPageRoutes } from './routes/account/webhooks.ts';
import { activityExportRoutes } from './routes/activityExport.ts';
import { adminRoutes, installationRoutes } from './routes/admin.ts';
import { answerRoutes } from './routes/answer.ts';
import { bookmarkRoutes } from './routes/bookmarks.ts';
import { composeRoutes } from './routes/compose.ts';
import { connectRoutes } from './routes/connect.ts';
import { createdRoutes } from './routes/created.ts';
import { dashboardRoutes } from './routes/dashboard.ts';
import { informationRoutes } from './routes/information.ts';
import { lookRoutes } from './routes/look.ts';
import { newPushRoutes } from './routes/newPush.ts';
import { pushListRoutes } from './routes/pushList.ts';
import { requestLinkRoutes } from './routes/requestLinks.ts';
import { requestRoutes } from './routes/requests.ts';
import { retrievalRoutes, viewerRoutes } from './routes/retrieval.ts';
import { statusRoutes } from './routes/status.ts';

const allRoutes = [
  bookmarkRoutes, // before the pages of pushes, of which /p/new is none
  retrievalRoutes,
  viewerRoutes,
  newPushRoutes,
  composeRoutes,
  answerRoutes,
  createdRoutes,
  statusRoutes,
  connectRoutes,
  activityExportRoutes,
  signInRoutes,
  secondFactorRoutes,
  factorRoutes,
  passkeyRoutes,
  singleSignOnRoutes,
  passwordLinkRoutes,
  mailLinkRoutes,
  pushListRoutes, // before the pages of pushes, of which /pushes/selected is none
  dashboardRoutes,
  requestRoutes,
  requestLinkRoutes,
  accountRoutes,
  securityRoutes,
  tokenRoutes,
  deviceRoutes,
  trustRulePageRoutes,
  webhookPageRoutes,
  chatRoutes,
  adminRoutes,
  installationRoutes,
  lookRoutes,
  informationRoutes,
];

/** The pages, and what shows errors to people. */
export function createWeb({
  domain,
  readOpenApi,
  ...http
}: Http & { domain: Domain; readOpenApi: ReadOpenApi }) {
  const router = createRouter();
  const { pages, showErrors } = createPageRoutes(router, http, domain);
  const revealNonces = createRevealNonces(domain.signing, http.cookies);
  const dependencies: WebDependencies = { router, domain, readOpenApi, ...http, pages, revealNonces };
  for (const addRoutes of allRoutes) addRoutes(dependencies);
  return { router, errors: showErrors };
}

/**
 * The scripts, styles and images of the pages, and those of a look, which need no database. Ours are compressed, as they are
 * the same for everybody; pages are not. One route for all: every request to the API is compared with it.
 */
export function createAssets(look: Look): Router {
  const router = createRouter();
  const ownImages = new Map(imagesOf(look).map((image) => [image.name, image]));
  router.get('/assets/:name', (ctx) => {
    const name = String(ctx.params.name);
    const image = ownImages.get(name);
    if (image !== undefined) ctx.set('Content-Security-Policy', imagePolicy);
    const asset = image ?? assets.get(name);
    if (asset === undefined) throw new RequestError(404, 'not-found');
    const isVersioned = ctx.query.v === asset.version;
    ctx.type = extname(name);
    ctx.set('Cache-Control', isVersioned ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    if (image === undefined) ctx.vary('Accept-Encoding');
    const compressed = image === undefined && ctx.acceptsEncodings('br') ? compressedAsset(name) : undefined;
    if (compressed !== undefined) ctx.set('Content-Encoding', 'br');
    ctx.body = compressed ?? asset.content;
  });
  return router;
}
