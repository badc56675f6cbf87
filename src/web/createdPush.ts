import type { Context } from 'koa';
import type { Push } from '../domain/index.ts';
import type { Cookies } from '../http/cookies.ts';
import { createTokenPage } from './tokenPage.ts';

const page = createTokenPage('created', { sameSite: 'strict' });

/** The page with the link of a new push. */
export const createdPath = page.path;

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
