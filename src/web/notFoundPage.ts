import type { Context, Middleware } from 'koa';
import { RequestError } from '../http/errors.ts';
import type { PageHandlers } from './pageHandlers.ts';

/** Responds with a page to people who follow a wrong link. Programs get the JSON of all errors. */
export function createNotFoundPage(pages: Pick<PageHandlers, 'page'>): Middleware {
  const page = pages.page(() => {
    throw new RequestError(404, 'not-found');
  });
  return (ctx, next) => (hasNoRoute(ctx) && prefersPage(ctx) ? page(ctx, next) : next());
}

/** Middleware of a router matches every path, and has no methods. */
const hasNoRoute = ({ matched }: Context) =>
  !Array.isArray(matched) || matched.every(({ methods }) => methods.length === 0);

const prefersPage = (ctx: Context) =>
  ['GET', 'HEAD'].includes(ctx.method) && ctx.accepts('json', 'html') === 'html';
