import type { Context, Middleware } from 'koa';
import type { PageHandlers } from './pageHandlers.ts';

/** The paths of the API, whatever a client accepts. */
const apiPath = /^\/api\/|\.(json|csv|ndjson)$/;

/** Shows people a page for each error that no page has shown, such as a wrong address. Programs get the JSON of all errors. */
export function createErrorMiddleware({ refuse }: Pick<PageHandlers, 'refuse'>): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.state.failurePage !== undefined || !isForPeople(ctx)) throw error;
      await refuse(ctx, error);
    }
  };
}

const isForPeople = (ctx: Context) =>
  ['GET', 'HEAD', 'POST'].includes(ctx.method) &&
  !apiPath.test(ctx.path) &&
  ctx.accepts('json', 'html') === 'html';
