import type { Context, Middleware } from 'koa';
import { hasCredential } from './auth.ts';
import { RequestError } from './errors.ts';

const requestHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-Range, Range, X-Passphrase, X-User-Email, X-User-Token';
const responseHeaders =
  'Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Token-Scope';
const browserExtension = /^(?:chrome|moz|safari-web)-extension:\/\//;

/**
 * What scripts of other origins may do with the API. Programs send no Origin. Those of browser extensions and of allowed
 * origins may do everything that a program may; `*` allows all sites. Those of any other site may only create pushes, and
 * only with an API token: on an internal server, they would act from within the network, through the browser of any
 * visitor. Cookies are ignored here, so nobody acts in another's name.
 */
export function createCrossOrigin(baseUrl: string, allowedOrigins: string[]) {
  const own = new URL(baseUrl).origin;

  /** The origin of a request, if its scripts may use the whole API. */
  function allowedOriginOf(ctx: Context): string | undefined {
    const origin = ctx.get('Origin');
    const isAllowed =
      allowedOrigins.includes('*') || allowedOrigins.includes(origin) || browserExtension.test(origin);
    return origin !== '' && isAllowed ? origin : undefined;
  }

  /** Lets the scripts of one origin, or of all, read the response. */
  function allow(ctx: Context, reader: string | undefined): void {
    if (reader === undefined) return;
    ctx.set('Access-Control-Allow-Origin', reader);
    ctx.set('Access-Control-Expose-Headers', responseHeaders);
  }

  /** For every route, before what follows: allowed origins read its response. */
  const share: Middleware = (ctx, next) => {
    ctx.vary('Origin');
    allow(ctx, allowedOriginOf(ctx));
    return next();
  };

  /** For creation, after `share`: refuses scripts of other sites without an API token. */
  const guardCreation: Middleware = (ctx, next) => {
    if (hasCredential(ctx)) allow(ctx, '*');
    else if (!['', own].includes(ctx.get('Origin')) && allowedOriginOf(ctx) === undefined)
      throw new RequestError(
        403,
        'Scripts of other sites need an API token here, unless ALLOWED_ORIGINS lists their site.',
      );
    return next();
  };

  /** After `share`: tells a browser which methods and headers a script may send. A token is one of the headers. */
  const preflight =
    (methods: string[], { isCreation = false } = {}): Middleware =>
    (ctx) => {
      const sendsToken = /\b(?:authorization|x-user-token)\b/i.test(
        ctx.get('Access-Control-Request-Headers'),
      );
      if (isCreation && sendsToken) allow(ctx, '*');
      ctx.set('Access-Control-Allow-Methods', methods.join(', '));
      ctx.set('Access-Control-Allow-Headers', requestHeaders);
      ctx.set('Access-Control-Max-Age', '86400');
      ctx.vary('Access-Control-Request-Headers');
      ctx.status = 204;
    };

  return { share, guardCreation, preflight };
}
