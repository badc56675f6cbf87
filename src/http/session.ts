import type { Context } from 'koa';
import type { Cookies } from './cookies.ts';

/** A session lasts no longer than this, whatever its browser thinks. */
const longestSeconds = 12 * 3_600;

/** Gives the browser the token of a new session, in place of whatever it held. */
export function setSessionCookie(ctx: Context, cookies: Cookies, token: string): void {
  cookies.set(ctx, 'session', token, { sameSite: 'lax', maxAgeSeconds: longestSeconds });
}

/** Has the browser forget its session. */
export function clearSessionCookie(ctx: Context, cookies: Cookies): void {
  cookies.set(ctx, 'session', '', { sameSite: 'lax', maxAgeSeconds: 0 });
}
