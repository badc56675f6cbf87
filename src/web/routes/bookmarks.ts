import type { Context } from 'koa';
import { capturedToken } from '../../http/params.ts';
import { isLocale } from '../../locales/locales.ts';
import type { WebDependencies } from '../dependencies.ts';

/** Pages of Password Pusher that people have bookmarked, and ours. */
const bookmarks = {
  '/users/sign_in': '/sign-in',
  '/users/sign_up': '/sign-up',
  '/users/edit': '/account',
  '/users/token': '/account/tokens',
  '/api_tokens': '/account/tokens',
  '/login': '/sign-in',
  '/p/new': '/',
  '/f/new': '/',
  '/r/new': '/',
  '/d/active': '/pushes',
  '/d/expired': '/pushes?state=expired',
  '/help/api': '/docs',
};

/** Where the page of a push once was: under /f or /r, with its retrieval step spelled out, or with a language in front. */
const legacyPaths = [
  /^\/[fr]\/([0-9A-Za-z]+)$/,
  /^\/[pfr]\/([0-9A-Za-z]+)\/(?:r|passphrase)$/,
  /^\/[a-z]{2}(?:-[a-zA-Z]{2})?\/[pfr]\/([0-9A-Za-z]+)(?:\/(?:r|passphrase))?$/,
];

/** Redirects from both; from bookmarks with or without a language in front, and from a language alone. */
export function bookmarkRoutes({ router, links }: WebDependencies): void {
  const redirect = (ctx: Context, target: string) => {
    ctx.status = 301;
    ctx.redirect(`${links.baseUrl}${target}`);
  };
  for (const [path, target] of Object.entries(bookmarks)) router.get(path, (ctx) => redirect(ctx, target));
  router.get(bookmarkInLanguage, (ctx) => {
    const [language, path = ''] = ctx.captures ?? [];
    redirect(ctx, inLanguage(targets.get(path) ?? '/', language));
  });
  for (const path of legacyPaths) {
    router.get(path, (ctx) => {
      ctx.status = 301;
      ctx.redirect(`${links.page({ urlToken: capturedToken(ctx) })}${ctx.search}`);
    });
  }
}

const targets = new Map(Object.entries(bookmarks));
/** One pattern for all: the paths of pushes are compared with it. */
const bookmarkInLanguage = new RegExp(`^/([a-z]{2})(?:-[a-zA-Z]{2})?(${[...targets.keys()].join('|')}|/?)$`);

/** Pages take their language from the query. */
function inLanguage(path: string, language: string | undefined): string {
  if (!isLocale(language)) return path;
  return `${path}${path.includes('?') ? '&' : '?'}locale=${language}`;
}
