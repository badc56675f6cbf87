import type { Context, Middleware } from 'koa';
import { type ClientInfo, clientKey, tooMany } from '../domain/index.ts';
import { valuesMax } from './body/text.ts';
import { RequestError } from './errors.ts';

/**
 * Refuses what Node's parser lets pass although RFC 9112 forbids it, and queries with too many parameters: Koa compares
 * each of them with all others.
 */
export const requireWellFormed: Middleware = (ctx, next) => {
  const problem = problemOf(ctx);
  if (problem !== undefined) {
    ctx.res.shouldKeepAlive = false; // nothing that follows it is taken for another request
    throw new RequestError(400, problem);
  }
  if (ctx.querystring.split('&').length > valuesMax)
    throw new RequestError(400, `The query has more than ${valuesMax} parameters.`);
  return next();
};

function problemOf({ req }: Context): string | undefined {
  const hosts = req.rawHeaders.filter(isHostName).length; // headersDistinct would build a list for each header
  if (req.httpVersionMajor < 1) return 'This version of HTTP is not supported.';
  if (hosts === 0 && req.httpVersion === '1.1') return 'The request has no Host header.';
  if (hosts > 1) return 'The request has more than one Host header.';
  return undefined;
}

/** Whether an element of `rawHeaders`, where names and values alternate, is the name Host. */
const isHostName = (text: string, index: number) =>
  index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';

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

type Matched = { methods: string[] }[];

/** After all routes: responds with 405 and the allowed methods if the path exists, with 404 otherwise. */
export const notFound: Middleware = async (ctx) => {
  const methods = new Set(((ctx.matched ?? []) as Matched).flatMap((layer) => layer.methods));
  if (methods.size === 0) throw new RequestError(404, 'not-found', cureOf(ctx));
  ctx.set('Allow', [...methods].sort().join(', '));
  throw new RequestError(405, 'method-not-allowed');
};

/** Clients of version 2 create pushes without asking for the version first. */
function cureOf({ path }: Context) {
  return path.startsWith('/api/v2/') ? 'useVersion1' : undefined;
}
