import type { Context } from 'koa';
import type { Logger } from 'pino';

export type Log = ReturnType<typeof createLog>;

/**
 * What the web side may write: the template of a route, never a URL; the kind and place of a failure, and its message only
 * where that is our own. Database errors carry statements and values, so nothing of theirs is written but codes.
 */
export function createLog(logger: Logger) {
  return {
    /** One line for an answered request. */
    request(ctx: Context, startedAt: number): void {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      logger.info(
        { method: knownMethod(ctx.method), route: routeOf(ctx), status: ctx.status, ms },
        'request',
      );
    },
    /** One line for an error that was our fault or the database's. */
    failure(error: unknown, ctx: Context): void {
      logger.error(
        { method: knownMethod(ctx.method), route: routeOf(ctx), error: describeError(error) },
        'request failed',
      );
    },
  };
}

function routeOf(ctx: Context): string {
  return String(ctx._matchedRouteName ?? ctx._matchedRoute ?? 'none');
}

function knownMethod(method: string): string {
  return /^[A-Z]{3,7}$/.test(method) ? method : 'other';
}

type Described = { name: string; message?: string; code?: string; at?: string[]; cause?: Described };

/** The causes of an error, outermost first, without values. */
export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { name: 'unknown' };
  const { name, message, stack = '', cause } = error;
  const { code, errno, sql } = ((error as { parent?: object }).parent ?? error) as {
    code?: unknown;
    errno?: unknown;
    sql?: unknown;
  };
  const isOurs = code === undefined && sql === undefined;
  return {
    name,
    ...(isOurs ? { message } : { code: [code, errno].filter((part) => part !== undefined).join(' ') }),
    at: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 6)
      .map((line) => line.trim()),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
