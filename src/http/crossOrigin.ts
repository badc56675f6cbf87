import type { Context, Middleware } from 'koa';
import { hasCredential } from './auth.ts';
import { RequestError } from './errors.ts';

const requestHeaders = 'Authorization, Content-Type, Idempotency-Key, X-User-Email, X-User-Token';
const responseHeaders = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
const browserExtension = /^(?:chrome|moz|safari-web)-extension:\/\//;

/**
 * Guards a route that scripts of other origins may call with POST, and adds its preflight. Programs send no Origin. A
 * script with an API token, a browser extension and the allowed origins may read the response. A script of any other site
 * is refused: on an internal server, it would act from within the network, through the browser of any visitor. `*` allows
 * all sites. Cookies are ignored here, so nobody acts in another's name.
 */
export function createCrossOrigin(baseUrl: string, allowedOrigins: string[]) {
  const own = new URL(baseUrl).origin;

  const isAllowed = (origin: string) =>
    allowedOrigins.includes('*') || allowedOrigins.includes(origin) || browserExtension.test(origin);

  /** What Access-Control-Allow-Origin says; undefined if nothing. */
  function readerOf(ctx: Context, sendsCredential: boolean): string | undefined {
    const origin = ctx.get('Origin');
    if (sendsCredential) return '*';
    return origin !== '' && isAllowed(origin) ? origin : undefined;
  }

  function allow(ctx: Context, reader: string | undefined): void {
    ctx.vary('Origin');
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    if (reader === undefined) return;
    ctx.set('Access-Control-Allow-Origin', reader);
    ctx.set('Access-Control-Expose-Headers', responseHeaders);
  }

  const guard: Middleware = async (ctx, next) => {
    const reader = readerOf(ctx, hasCredential(ctx));
    allow(ctx, reader);
    if (reader === undefined && !['', own].includes(ctx.get('Origin')))
      throw new RequestError(
        403,
        'Scripts of other sites need an API token here, unless ALLOWED_ORIGINS lists their site.',
      );
    await next();
  };

  /** A browser asks whether a script may send certain headers; a token is one of them. */
  function preflight(ctx: Context): void {
    const sendsCredential = /\b(?:authorization|x-user-token)\b/i.test(
      ctx.get('Access-Control-Request-Headers'),
    );
    allow(ctx, readerOf(ctx, sendsCredential));
    ctx.set('Access-Control-Allow-Methods', 'POST');
    ctx.set('Access-Control-Allow-Headers', requestHeaders);
    ctx.set('Access-Control-Max-Age', '86400');
    ctx.vary('Access-Control-Request-Headers');
    ctx.status = 204;
  }

  return { guard, preflight };
}
