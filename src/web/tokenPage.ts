import type { Context } from 'koa';
import type { Cookies } from '../http/cookies.ts';
import { capturedToken } from '../http/params.ts';
import { urlTokenLabel } from './urlTokenLabel.ts';

const maxAgeSeconds = 3_600;

/**
 * Pages at `/NAME/LABEL` that load for an hour, in a browser that has their token in a cookie. The path does not contain the
 * token, so the history of the browser opens nothing.
 */
export function createTokenPage(name: string, { sameSite }: { sameSite: 'strict' | 'lax' }) {
  const cookieName = (label: string) => `${name}-${label}`;
  return {
    /** The path of a page. Its first capture is the label. */
    path: new RegExp(`^/${name}/(\\w+)$`),
    /** Saves a token in this browser, and returns the path of its page. */
    save(ctx: Context, cookies: Cookies, token: string): string {
      const label = urlTokenLabel(token);
      cookies.set(ctx, cookieName(label), token, { sameSite, maxAgeSeconds });
      return `/${name}/${label}`;
    },
    /** The token that this browser has for the requested page, if any. */
    maybeToken: (ctx: Context, cookies: Cookies): string | undefined =>
      cookies.get(ctx, cookieName(capturedToken(ctx))),
  };
}
