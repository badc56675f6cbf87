import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Domain, Visit } from '../domain/index.ts';
import { errorHandling, RequestError } from './errors.ts';
import type { Log } from './log.ts';
import { createLinks, type Links } from './presenters.ts';
import { assetRoutes } from './routes/assets.ts';
import { docsRoutes } from './routes/docs.ts';
import { downloadRoutes } from './routes/downloads.ts';
import { healthRoutes } from './routes/health.ts';
import { type MetricsSource, metricsRoutes } from './routes/metrics.ts';
import { pageRoutes } from './routes/pages.ts';
import { pushRoutes } from './routes/pushes.ts';
import { versionRoutes } from './routes/version.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { securityHeaders } from './securityHeaders.ts';
import { unanswered } from './unanswered.ts';
import { visitReader } from './visit.ts';
import { createWho, type Who } from './who.ts';

type ApiSettings = { baseUrl: string; trustedProxies: string[] };

/** What routes are made of. */
export type ApiParts = {
  domain: Domain;
  who: Who;
  links: Links;
  visitOf: (ctx: Koa.Context) => Visit;
  requireReady: () => void;
};

type AppParts = {
  domain: Domain;
  log: Log;
  settings: ApiSettings;
  /** Without them there is no /metrics. */
  metrics?: MetricsSource;
  /** Refuses with `unavailable` until the database is migrated and its keys are checked. */
  requireReady: () => void;
};

/** The web side of the service: JSON API, pages, health. Listens to nothing by itself. */
export function createApp({ domain, log, settings, metrics, requireReady }: AppParts): Koa {
  const links = createLinks(settings.baseUrl);
  const visitOf = visitReader(settings.trustedProxies);
  const parts: ApiParts = { domain, links, visitOf, requireReady, who: createWho(domain, visitOf) };

  const open = new Router({ sensitive: true, strict: true });
  healthRoutes(open, parts);
  if (metrics) metricsRoutes(open, metrics);
  assetRoutes(open);
  const guarded = new Router({ sensitive: true, strict: true });
  versionRoutes(guarded, parts);
  docsRoutes(guarded, parts);
  pushRoutes(guarded, parts);
  downloadRoutes(guarded, parts);
  webhookRoutes(guarded, parts);
  pageRoutes(guarded, parts);

  const app = new Koa();
  app.silent = true; // errorHandling answers and logs; what is left are sockets that closed early
  app.use(requestLog(log));
  app.use(errorHandling(log));
  app.use(securityHeaders(settings.baseUrl));
  app.use(requireHost);
  app.use(open.routes());
  app.use(onlyWhenReady(requireReady));
  app.use(guarded.routes());
  app.use(unanswered);
  return app;
}

function requestLog(log: Log): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    log.request(ctx, startedAt);
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
