import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Signing } from '../domain/index.ts';
import type { Cookies } from './cookies.ts';
import { FormError } from './errors.ts';

const anonymous = 'form';
const inSession = 'session';

/**
 * Protects forms from cross-site request forgery: by Fetch Metadata, or Origin where browsers do not send it, and by a
 * token in the form that is bound to a cookie: the session's, or without a session one for forms alone.
 */
export function createCsrf(signing: Signing, cookies: Cookies, baseUrl: string) {
  const { origin } = new URL(baseUrl);

  /** The token for a form on the page of this response. That of a session's page is not valid without the session. */
  function token(ctx: Context, isSignedIn: boolean): string {
    const holder = holderOf(ctx) ?? randomBytes(16).toString('base64url');
    if (holderOf(ctx) === undefined) {
      cookies.set(ctx, anonymous, holder, { sameSite: 'lax' });
      ctx.state.formCookie = holder;
    }
    return signing.sign('csrf', holder, ...(isSignedIn ? [inSession] : []));
  }

  /** Refuses a form that another site sent with 403. */
  function requireSameOrigin(ctx: Context): void {
    const site = ctx.get('Sec-Fetch-Site');
    const isOurs =
      site === '' ? ['', origin].includes(ctx.get('Origin')) : ['same-origin', 'none'].includes(site);
    if (!isOurs) throw new FormError('otherSite');
  }

  /** Refuses a form without the token of this browser, and one of a session that has ended since, with 403. */
  function requireToken(ctx: Context, given: string | undefined, isSignedIn: boolean): void {
    const holder = holderOf(ctx);
    const isSigned = (...texts: string[]) =>
      holder !== undefined && signing.isSigned(given ?? '', 'csrf', holder, ...texts);
    if (isSigned(inSession)) {
      if (!isSignedIn) throw new FormError('ended');
    } else if (!isSigned()) throw new FormError('stale');
  }

  function holderOf(ctx: Context): string | undefined {
    return cookies.get(ctx, 'session') ?? ctx.state.formCookie ?? cookies.get(ctx, anonymous);
  }

  /** A secret of this browser: that of its session, or of its forms. Refuses one that has neither with 403. */
  function requireBrowser(ctx: Context): string {
    const holder = holderOf(ctx);
    if (holder === undefined) throw new FormError('stale');
    return holder;
  }

  return { token, requireSameOrigin, requireToken, requireBrowser };
}
