import type { Context } from 'koa';
import type { Cookies } from '../http/cookies.ts';
import { capturedToken } from '../http/params.ts';
import { urlTokenLabel } from './urlTokenLabel.ts';

const maxAgeSeconds = 3_600;

/** A page with the link of a new push: `/created/LABEL`. */
export const createdPath = /^\/created\/(\w+)$/;

const cookieName = (label: string) => `created-${label}`;

/**
 * Lets this browser see the link of a new push for an hour, and returns the path of its page. The path does not contain
 * the url token, so the history of the browser opens nothing.
 */
export function saveCreated(ctx: Context, cookies: Cookies, urlToken: string): string {
  const label = urlTokenLabel(urlToken);
  cookies.set(ctx, cookieName(label), urlToken, { sameSite: 'strict', maxAgeSeconds });
  return `/created/${label}`;
}

/** The url token of the push that this browser created and asks for. */
export function maybeCreated(ctx: Context, cookies: Cookies): string | undefined {
  return cookies.get(ctx, cookieName(capturedToken(ctx)));
}
