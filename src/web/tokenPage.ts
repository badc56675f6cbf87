import type { Context } from 'koa';
import type { Push } from '../domain/index.ts';
import type { Cookies } from '../http/cookies.ts';
import { capturedToken } from '../http/params.ts';
import { urlTokenLabel } from './urlTokenLabel.ts';

const maxAgeSeconds = 3_600;

/**
 * Pages at `/NAME/LABEL` that load for an hour, in a browser that has their token in a cookie. The path does not contain the
 * token, so the history of the browser opens nothing.
 */
function createTokenPage(name: string, { sameSite }: { sameSite: 'strict' | 'lax' }) {
  const cookieName = (label: string) => `${name}-${label}`;
  return {
    /** The path of a page. Its first capture is the label. */
    path: new RegExp(`^/${name}/(\\w+)$`),
    /** The path of the page of a token. */
    pathOf: (token: string) => `/${name}/${urlTokenLabel(token)}`,
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

/** The page of an anonymous push for its creator. Lax, since people follow their private link from wherever they keep it. */
export const statusTokenPage = createTokenPage('status', { sameSite: 'lax' });

/** The receipt of an answer, for the browser that sent it. */
export const receiptTokenPage = createTokenPage('receipt', { sameSite: 'strict' });

const page = createTokenPage('created', { sameSite: 'strict' });

/** The page with the link of a new push. */
export const createdPath = page.path;
export const createdPathOf = page.pathOf;

/** What the browser that created a push may see: its link and, without an account, the private link to its status. */
export type Created = { urlToken: string; statusToken?: string | undefined };

/** Lets this browser see the links of a new push, and returns the path of their page. */
export function saveCreated(
  ctx: Context,
  cookies: Cookies,
  { urlToken }: Push,
  statusToken?: string,
): string {
  return page.save(ctx, cookies, statusToken === undefined ? urlToken : `${urlToken}~${statusToken}`);
}

/** The links of the push that this browser created and asks for. The status token is one only if it is signed. */
export function maybeCreated(ctx: Context, cookies: Cookies): Created | undefined {
  const [urlToken = '', statusToken] = page.maybeToken(ctx, cookies)?.split('~') ?? [];
  return urlToken === '' ? undefined : { urlToken, statusToken };
}
