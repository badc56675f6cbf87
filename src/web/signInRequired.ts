import type { Context } from 'koa';

/** Thrown for a page of accounts when nobody is signed in. */
export class SignInRequired extends Error {}

/** Where to sign in; whoever does comes back to the requested page, unless it was a form. */
export function signInPath(ctx: Context): string {
  if (ctx.method === 'POST') return '/sign-in';
  return `/sign-in?next=${encodeURIComponent(`${ctx.path}${ctx.search}`)}`;
}
