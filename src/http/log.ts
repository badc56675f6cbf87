import type { Context } from 'koa';
import { toRefusal } from '../domain/index.ts';
import { requestIdOf } from './requestId.ts';

/** Asked every few seconds, all the time. */
const probes = ['/livez', '/up', '/readyz', '/metrics'];

/** Where lines go. It must describe an `error` without what a request or a database statement contained. */
type LogSink = {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  error(fields: { requestId: string; method: string; route: string; error: unknown }, message: string): void;
};

export type Log = ReturnType<typeof createLog>;

/** What may be logged of requests: the template of a route, never a URL. */
export function createLog(sink: LogSink) {
  return {
    /** One line for a request that was responded to; for a probe, only when debugging. */
    request(ctx: Context, requestMs: number): void {
      const ms = Math.round(requestMs * 10) / 10;
      const route = routeOf(ctx);
      const level = probes.includes(route) ? 'debug' : 'info';
      sink[level](
        { requestId: requestIdOf(ctx), method: methodOf(ctx), route, status: ctx.status, ms },
        'request',
      );
    },
    /** One line for a failure of the service or the database. A probe that gets “not yet” is no failure. */
    failure(error: unknown, ctx: Context): void {
      const [route, refusal] = [routeOf(ctx), toRefusal(error)];
      if (probes.includes(route) && refusal) sink.warn({ route, reason: refusal.message }, 'not ready');
      else sink.error({ requestId: requestIdOf(ctx), method: methodOf(ctx), route, error }, 'request failed');
    },
  };
}

/** The template of a request's route; `none` if it has none. Never a URL. */
export function routeOf(ctx: Context): string {
  return String(ctx._matchedRouteName ?? ctx._matchedRoute ?? 'none');
}

/** A method that a client made up is `other`. */
export function methodOf({ method }: Context): string {
  return /^[A-Z]{3,7}$/.test(method) ? method : 'other';
}
