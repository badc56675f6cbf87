import type { Router } from '@koa/router';
import type { Context } from 'koa';

/** Thrown for a page of accounts when nobody is signed in. */
export class SignInRequired extends Error {}

/** Where to sign in; whoever does comes back to the requested page, or to the page of the form that they sent. */
export function signInPath(ctx: Context): string {
  const isForm = ctx.method === 'POST';
  const next = encodeURIComponent(isForm ? pageOfForm(ctx) : `${ctx.path}${ctx.search}`);
  return `/sign-in?next=${next}${isForm ? '&ended=yes' : ''}`;
}

/** The page that has a form for this path: the path itself, or the closest one above it. */
export function pageOfForm({ path, router }: Context): string {
  let page = path;
  while (page !== '' && !isPage(router, page)) page = page.slice(0, page.lastIndexOf('/'));
  return page === '' ? '/' : page;
}

const isPage = (router: Router, path: string) =>
  router.match(path, 'GET').pathAndMethod.some(({ methods }) => methods.includes('GET'));
