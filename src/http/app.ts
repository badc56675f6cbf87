import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { createLinks, type Links } from '../api/presenters.ts';
import { downloadRoutes } from '../api/routes/downloads.ts';
import { pushRoutes } from '../api/routes/pushes.ts';
import { versionRoutes } from '../api/routes/version.ts';
import { webhookRoutes } from '../api/routes/webhooks.ts';
import type { ClientInfo, Domain } from '../domain/index.ts';
import { createPageHandlers, type PageHandlers } from '../web/pageHandlers.ts';
import { createRevealNonces, type RevealNonces } from '../web/revealNonce.ts';
import { accountRoutes } from '../web/routes/account/account.ts';
import { belongingsRoutes } from '../web/routes/account/belongings.ts';
import { signInRoutes } from '../web/routes/account/signIn.ts';
import { adminRoutes } from '../web/routes/admin.ts';
import { assetRoutes } from '../web/routes/assets.ts';
import { composeRoutes } from '../web/routes/compose.ts';
import { connectRoutes } from '../web/routes/connect.ts';
import { dashboardRoutes } from '../web/routes/dashboard.ts';
import { docsRoutes } from '../web/routes/docs.ts';
import { newPushRoutes } from '../web/routes/newPush.ts';
import { requestRoutes } from '../web/routes/requests.ts';
import { retrievalRoutes } from '../web/routes/retrieval.ts';
import { type Auth, createAuth } from './auth.ts';
import { createClientReader } from './client.ts';
import { type Cookies, createCookies } from './cookies.ts';
import { createCsrf } from './csrf.ts';
import { errorHandling, RequestError } from './errors.ts';
import { healthRoutes } from './health.ts';
import type { Log } from './log.ts';
import { type MetricsSource, metricsRoutes } from './metrics.ts';
import { notFound } from './notFound.ts';
import { securityHeaders } from './securityHeaders.ts';

/** A page that somebody else answers. */
type Mount = {
  method: string;
  path: string;
  handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};

type ApiSettings = { baseUrl: string; trustedProxies: string[] };

/** What routes are made of. */
export type ApiDependencies = {
  domain: Domain;
  auth: Auth;
  links: Links;
  clientOf: (ctx: Koa.Context) => ClientInfo;
  requireReady: () => void;
  cookies: Cookies;
  pages: PageHandlers;
  revealNonces: RevealNonces;
};

type AppDependencies = {
  domain: Domain;
  log: Log;
  settings: ApiSettings;
  /** Answered before anything else has read the request's body, whether the database is there or not. */
  mounted?: Mount[];
  /** Without them there is no /metrics. */
  metrics?: MetricsSource;
  /** Refuses with `unavailable` until the database is migrated and its keys are checked. */
  requireReady: () => void;
};

/** The web side of the service: JSON API, pages, health. Listens to nothing by itself. */
export function createApp(appDependencies: AppDependencies): Koa {
  const { domain, settings, requireReady, mounted = [] } = appDependencies;
  const links = createLinks(settings.baseUrl);
  const clientOf = createClientReader(settings.trustedProxies);
  const cookies = createCookies(settings.baseUrl);
  const csrf = createCsrf(domain.signing, cookies, settings.baseUrl);
  const auth = createAuth(domain, clientOf, (ctx) => cookies.get(ctx, 'session'));
  const dependencies: ApiDependencies = {
    domain,
    links,
    clientOf,
    requireReady,
    auth,
    cookies,
    pages: createPageHandlers({ links, csrf, auth }),
    revealNonces: createRevealNonces(domain.signing, cookies),
  };

  const assets = createRouter();
  assetRoutes(assets);
  const guarded = createRouter();
  versionRoutes(guarded, dependencies);
  docsRoutes(guarded, dependencies);
  pushRoutes(guarded, dependencies);
  downloadRoutes(guarded, dependencies);
  webhookRoutes(guarded, dependencies);
  retrievalRoutes(guarded, dependencies);
  newPushRoutes(guarded, dependencies);
  signInRoutes(guarded, dependencies);
  accountRoutes(guarded, dependencies);
  belongingsRoutes(guarded, dependencies);
  dashboardRoutes(guarded, dependencies);
  requestRoutes(guarded, dependencies);
  adminRoutes(guarded, dependencies);
  composeRoutes(guarded, dependencies);
  connectRoutes(guarded, dependencies);
  return assemble(appDependencies, (app) => {
    for (const mount of mounted) app.use(mountEndpoint(mount));
    app.use(assets.routes());
    app.use(onlyWhenReady(requireReady));
    app.use(guarded.routes());
  });
}

/** What a process that serves nobody shows to whoever watches over it: health and metrics. */
export function createMonitoringApp(parts: AppDependencies): Koa {
  return assemble(parts, () => {});
}

const createRouter = () => new Router({ sensitive: true, strict: true });

function assemble(
  { domain, log, settings, metrics, requireReady }: AppDependencies,
  serve: (app: Koa) => void,
): Koa {
  const monitoring = createRouter();
  healthRoutes(monitoring, { domain, requireReady });
  if (metrics) metricsRoutes(monitoring, metrics);
  const app = new Koa();
  app.silent = true; // errorHandling answers and logs; what is left are sockets that closed early
  app.use(requestLog(log));
  app.use(errorHandling(log));
  app.use(securityHeaders(settings.baseUrl));
  app.use(requireHost);
  app.use(withoutPrefix(createLinks(settings.baseUrl).prefix));
  app.use(monitoring.routes());
  serve(app);
  app.use(notFound);
  return app;
}

/** Behind a proxy that passes on the path of BASE_URL, requests begin with it; behind one that strips it they do not. */
function withoutPrefix(prefix: string): Middleware {
  return async (ctx, next) => {
    if (prefix !== '' && ctx.path.startsWith(`${prefix}/`)) ctx.path = ctx.path.slice(prefix.length);
    else if (prefix !== '' && ctx.path === prefix) ctx.path = '/';
    await next();
  };
}

function requestLog(log: Log): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    log.request(ctx, startedAt);
  };
}

function mountEndpoint({ method, path, handle }: Mount): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== method || ctx.path !== path) return next();
    ctx._matchedRouteName = path;
    ctx.respond = false;
    await handle(ctx.req, ctx.res);
  };
}

/** RFC 9112, section 3.2: a request of HTTP/1.1 without Host is refused. */
const requireHost: Middleware = async ({ req }, next) => {
  if (req.headers.host === undefined && req.httpVersion === '1.1') {
    throw new RequestError(400, 'The request has no Host header.');
  }
  await next();
};

function onlyWhenReady(requireReady: () => void): Middleware {
  return async (_ctx, next) => {
    requireReady();
    await next();
  };
}
