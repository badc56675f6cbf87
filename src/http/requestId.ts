import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Context, Middleware } from 'koa';

const wellFormed = /^[\w.:-]{8,64}$/;

/**
 * Gives each request an id, which its response and its lines of the log have: the X-Request-Id of a trusted proxy, or a new
 * one.
 */
export function identifyRequests(isProxy: (peer: Socket) => boolean): Middleware {
  return (ctx, next) => {
    const sent = ctx.get('X-Request-Id');
    ctx.state.requestId = wellFormed.test(sent) && isProxy(ctx.socket) ? sent : randomUUID();
    ctx.set('X-Request-Id', ctx.state.requestId);
    return next();
  };
}

/** The id of a request. */
export function requestIdOf({ state }: Pick<Context, 'state'>): string {
  return String(state.requestId);
}
