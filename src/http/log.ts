import type { Context } from 'koa';

/** Where lines go. It must describe an `error` without what a request or a database statement contained. */
type LogSink = {
  info(fields: object, message: string): void;
  error(fields: { method: string; route: string; error: unknown }, message: string): void;
};

export type Log = ReturnType<typeof createLog>;

/** What may be logged of requests: the template of a route, never a URL. */
export function createLog(sink: LogSink) {
  return {
    /** One line for a request that was responded to. */
    request(ctx: Context, startedAt: number): void {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      sink.info({ method: methodOf(ctx), route: routeOf(ctx), status: ctx.status, ms }, 'request');
    },
    /** One line for an error that was our fault or the database's. */
    failure(error: unknown, ctx: Context): void {
      sink.error({ method: methodOf(ctx), route: routeOf(ctx), error }, 'request failed');
    },
  };
}

function routeOf(ctx: Context): string {
  return String(ctx._matchedRouteName ?? ctx._matchedRoute ?? 'none');
}

function methodOf({ method }: Context): string {
  return /^[A-Z]{3,7}$/.test(method) ? method : 'other';
}
