import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Router } from '@koa/router';
import Koa, { type Context, type Middleware, type Response } from 'koa';
import { limitArrival } from './body/intake.ts';
import { createClientReader, createProxyTest } from './client.ts';
import { errorHandling } from './errors.ts';
import { type HealthChecks, healthRoutes } from './health.ts';
import { createLinks } from './links.ts';
import { readLocale } from './locale.ts';
import { type Log, methodOf, routeOf } from './log.ts';
import { type MetricsSource, metricsRoutes } from './metrics.ts';
import { limitConcurrency, notFound, requireWellFormed } from './refusals.ts';
import { identifyRequests } from './requestId.ts';
import { createRouter } from './router.ts';
import { securityHeaders } from './securityHeaders.ts';

const mountedBodyMs = 30_000; // as other bodies

/** A path whose handler reads the request and writes the response without Koa. */
type MountedEndpoint = {
  method: string;
  path: string;
  /** Called before `handle`; refuses a client that sends too many requests. */
  admit?: ((ctx: Context) => Promise<unknown>) | undefined;
  handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};

export type HttpAppDependencies = {
  log: Log;
  baseUrl: string;
  trustedProxies: string[];
  /** How many requests of one client may be in progress. */
  requestsPerClient: number;
  health: HealthChecks;
  /** Without them there is no /metrics. */
  metrics?: MetricsSource | undefined;
  /** Called before anything else has read the request's body, whether the database is ready or not. */
  mounted?: MountedEndpoint[] | undefined;
};

/** Some respond always, the others with 503 until the database is ready. `errors` may respond to what any of them throws. */
type Routers = { always: Router[]; whenReady: Router[]; errors: Middleware };

/** What every process that listens has: errors, headers, health and metrics; around its routers, if it has any. */
export function createHttpApp(dependencies: HttpAppDependencies, routers?: Routers): Koa {
  const { log, baseUrl, trustedProxies, requestsPerClient, health, metrics, mounted = [] } = dependencies;
  const isProxy = createProxyTest(trustedProxies);
  const monitoring = createRouter();
  healthRoutes(monitoring, { ...health, isProxy });
  if (metrics) metricsRoutes(monitoring, metrics);

  const app = new Koa();
  setHeadersDirectly(app);
  app.silent = true; // errorHandling responds and logs; what is left are sockets that closed early
  app.use(identifyRequests(isProxy));
  app.use(observeRequests(log, metrics));
  app.use(errorHandling(log));
  app.use(securityHeaders(baseUrl));
  app.use(requireWellFormed);
  const { prefix } = createLinks(baseUrl);
  if (prefix !== '') app.use(withoutPrefix(prefix));
  app.use(readLocale);
  app.use(monitoring.routes());
  if (routers) app.use(routers.errors);
  app.use(limitConcurrency(createClientReader(trustedProxies), requestsPerClient));
  for (const endpoint of mounted) app.use(mountEndpoint(endpoint));
  for (const router of routers?.always ?? []) app.use(router.routes());
  if (routers) app.use(onlyWhenReady(health));
  for (const router of routers?.whenReady ?? []) app.use(router.routes());
  app.use(notFound);
  return app;
}

type HeaderValues = Record<string, string | string[]>;

/** A response has a dozen headers, and for each of them Koa's own `set` makes two arrays and calls two functions. */
function setHeadersDirectly({ response }: Koa): void {
  const { set } = response;
  response.set = function (this: Response, name: string | HeaderValues, value: string | string[] = []) {
    if (typeof name === 'string' && !this.headerSent) this.res.setHeader(name, value);
    else set.call(this, name as string, value);
  };
}

/** Behind a proxy that passes on the path of BASE_URL, requests begin with it; behind one that strips it they do not. */
function withoutPrefix(prefix: string): Middleware {
  return (ctx, next) => {
    if (ctx.path.startsWith(`${prefix}/`)) ctx.path = ctx.path.slice(prefix.length);
    else if (ctx.path === prefix) ctx.path = '/';
    return next();
  };
}

/** Logs and counts each request once Koa has sent the response, so that nobody waits for that. */
function observeRequests(log: Log, metrics: MetricsSource | undefined): Middleware {
  function observe(ctx: Context, ms: number): void {
    log.request(ctx, ms);
    metrics?.responded({ method: methodOf(ctx), route: routeOf(ctx), status: ctx.status, ms });
  }

  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    process.nextTick(observe, ctx, performance.now() - startedAt);
  };
}

function mountEndpoint({ method, path, admit, handle }: MountedEndpoint): Middleware {
  async function handleMounted(ctx: Context): Promise<void> {
    ctx._matchedRouteName = path;
    await admit?.(ctx);
    ctx.respond = false;
    limitArrival(ctx.req, mountedBodyMs);
    try {
      await handle(ctx.req, ctx.res);
    } catch (error) {
      endWithFailure(ctx.res); // Koa responds no longer
      throw error;
    }
  }
  return (ctx, next) => (ctx.method === method && ctx.path === path ? handleMounted(ctx) : next());
}

function endWithFailure(res: ServerResponse): void {
  if (!res.headersSent) res.statusCode = 500;
  res.end();
}

function onlyWhenReady({ requireReady }: HealthChecks): Middleware {
  return (_ctx, next) => {
    requireReady();
    return next();
  };
}
