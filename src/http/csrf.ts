import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Signing } from '../domain/index.ts';
import type { Cookies } from './cookies.ts';
import { FormError } from './errors.ts';

export type Csrf = ReturnType<typeof createCsrf>;

const anonymous = 'form';

/**
 * Keeps other sites from sending our forms in somebody's name: Fetch Metadata first, then Origin (old browsers send
 * neither), then a token in the form that is bound to a cookie: the session's, or where there is none one for forms alone.
 */
export function createCsrf(signing: Signing, cookies: Cookies, baseUrl: string) {
  const { origin } = new URL(baseUrl);

  /** The token for a form on a page that is just being made. */
  function token(ctx: Context): string {
    const holder = holderOf(ctx) ?? randomBytes(16).toString('base64url');
    if (holderOf(ctx) === undefined) {
      cookies.set(ctx, anonymous, holder, { sameSite: 'lax' });
      ctx.state.formCookie = holder;
    }
    return signing.sign('csrf', holder);
  }

  /** Refuses with 403 a form that no page of ours sent. */
  function requireSameOrigin(ctx: Context): void {
    const site = ctx.get('Sec-Fetch-Site');
    const isOurs =
      site === '' ? ['', origin].includes(ctx.get('Origin')) : ['same-origin', 'none'].includes(site);
    if (!isOurs) throw new FormError('otherSite');
  }

  /** Refuses with 403 a form without the token of this browser. */
  function requireToken(ctx: Context, given: string | undefined): void {
    const holder = holderOf(ctx);
    if (holder === undefined || !signing.isSigned(given ?? '', 'csrf', holder)) {
      throw new FormError('stale');
    }
  }

  function holderOf(ctx: Context): string | undefined {
    return cookies.get(ctx, 'session') ?? ctx.state.formCookie ?? cookies.get(ctx, anonymous);
  }

  return { token, requireSameOrigin, requireToken };
}
