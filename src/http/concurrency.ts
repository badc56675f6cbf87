import type { Context, Middleware } from 'koa';
import { type ClientInfo, clientKey, tooMany } from '../domain/index.ts';

/**
 * Refuses more than `max` requests of a client at a time with 429. Behind a trusted proxy, which opens the connections
 * for all its clients, this limit stands in for the one of connections.
 */
export function limitConcurrency(clientOf: (ctx: Context) => ClientInfo, max: number): Middleware {
  const running = new Map<string, number>();

  function change(key: string, by: 1 | -1): void {
    const count = (running.get(key) ?? 0) + by;
    if (count === 0) running.delete(key);
    else running.set(key, count);
  }

  return (ctx, next) => {
    const key = clientKey(clientOf(ctx));
    if ((running.get(key) ?? 0) >= max) throw tooMany(1);
    change(key, 1);
    ctx.res.once('close', () => change(key, -1));
    return next();
  };
}
