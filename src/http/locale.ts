import type { Context, Middleware } from 'koa';
import { isLocale, type Locale } from '../locales/locales.ts';

/** A JSON path with a language in front, such as /en/p.json: the only form that older PowerShell clients send. */
const prefixed = /^\/([a-z]{2})(?:-[a-zA-Z]{2})?(\/(?:[pfr](?:\/.+)?\.json|api\/v1\/version(?:\.json)?))$/;

/** Reads the language in front of a JSON path. Further middleware sees the path without it. */
export const readLocale: Middleware = (ctx, next) => {
  const [, language, path] = prefixed.exec(ctx.path) ?? [];
  if (path !== undefined) {
    ctx.path = path;
    ctx.state.locale = language;
  }
  return next();
};

/** The language in front of the path; English where there is none, or one that we do not speak. */
export function localeOfPath({ state }: Pick<Context, 'state'>): Locale {
  return isLocale(state.locale) ? state.locale : 'en';
}
