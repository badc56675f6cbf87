import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { createLinks, type Links } from '../api/presenters.ts';
import { downloadRoutes } from '../api/routes/downloads.ts';
import { pushRoutes } from '../api/routes/pushes.ts';
import { versionRoutes } from '../api/routes/version.ts';
import { webhookRoutes } from '../api/routes/webhooks.ts';
import type { Domain, Visit } from '../domain/index.ts';
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
import { makeRoutes } from '../web/routes/newPush.ts';
import { requestRoutes } from '../web/routes/requests.ts';
import { retrievalRoutes } from '../web/routes/retrieval.ts';
import { createWho, type Who } from './auth.ts';
import { visitReader } from './client.ts';
import { type Cookies, createCookies } from './cookies.ts';
import { createCsrf } from './csrf.ts';
import { errorHandling, RequestError } from './errors.ts';
import { healthRoutes } from './health.ts';
import type { Log } from './log.ts';
import { type MetricsSource, metricsRoutes } from './metrics.ts';
import { unanswered } from './notFound.ts';
import { securityHeaders } from './securityHeaders.ts';

/** A page that somebody else answers. */
type Mount = {
  method: string;
  path: string;
  answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};

type ApiSettings = { baseUrl: string; trustedProxies: string[] };

/** What routes are made of. */
export type ApiParts = {
  domain: Domain;
  who: Who;
  links: Links;
  visitOf: (ctx: Koa.Context) => Visit;
  requireReady: () => void;
  cookies: Cookies;
  pages: PageHandlers;
  revealNonces: RevealNonces;
};

type AppParts = {
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
export function createApp(appParts: AppParts): Koa {
  const { domain, settings, requireReady, mounted = [] } = appParts;
  const links = createLinks(settings.baseUrl);
  const visitOf = visitReader(settings.trustedProxies);
  const cookies = createCookies(settings.baseUrl);
  const csrf = createCsrf(domain.signing, cookies, settings.baseUrl);
  const who = createWho(domain, visitOf, (ctx) => cookies.get(ctx, 'session'));
  const parts: ApiParts = {
    domain,
    links,
    visitOf,
    requireReady,
    who,
    cookies,
    pages: createPageHandlers({ links, csrf, who }),
    revealNonces: createRevealNonces(domain.signing, cookies),
  };

  const assets = createRouter();
  assetRoutes(assets);
  const guarded = createRouter();
  versionRoutes(guarded, parts);
  docsRoutes(guarded, parts);
  pushRoutes(guarded, parts);
  downloadRoutes(guarded, parts);
  webhookRoutes(guarded, parts);
  retrievalRoutes(guarded, parts);
  makeRoutes(guarded, parts);
  signInRoutes(guarded, parts);
  accountRoutes(guarded, parts);
  belongingsRoutes(guarded, parts);
  dashboardRoutes(guarded, parts);
  requestRoutes(guarded, parts);
  adminRoutes(guarded, parts);
  composeRoutes(guarded, parts);
  connectRoutes(guarded, parts);
  return assemble(appParts, (app) => {
    for (const mount of mounted) app.use(answering(mount));
    app.use(assets.routes());
    app.use(onlyWhenReady(requireReady));
    app.use(guarded.routes());
  });
}

/** What a process that serves nobody shows to whoever watches over it: health and metrics. */
export function createWatchApp(parts: AppParts): Koa {
  return assemble(parts, () => {});
}

const createRouter = () => new Router({ sensitive: true, strict: true });

function assemble(
  { domain, log, settings, metrics, requireReady }: AppParts,
  serve: (app: Koa) => void,
): Koa {
  const watch = createRouter();
  healthRoutes(watch, { domain, requireReady });
  if (metrics) metricsRoutes(watch, metrics);
  const app = new Koa();
  app.silent = true; // errorHandling answers and logs; what is left are sockets that closed early
  app.use(requestLog(log));
  app.use(errorHandling(log));
  app.use(securityHeaders(settings.baseUrl));
  app.use(requireHost);
  app.use(withoutPrefix(createLinks(settings.baseUrl).prefix));
  app.use(watch.routes());
  serve(app);
  app.use(unanswered);
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

function answering({ method, path, answer }: Mount): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== method || ctx.path !== path) return next();
    ctx._matchedRouteName = path;
    ctx.respond = false;
    await answer(ctx.req, ctx.res);
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
