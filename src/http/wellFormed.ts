import type { Context, Middleware } from 'koa';
import { valuesMax } from './body/text.ts';
import { RequestError } from './errors.ts';

/**
 * Refuses what Node's parser lets pass although RFC 9112 forbids it, and queries with too many parameters: Koa compares
 * each of them with all others.
 */
export const requireWellFormed: Middleware = (ctx, next) => {
  const problem = problemOf(ctx);
  if (problem !== undefined) throw new RequestError(400, problem);
  return next();
};

function problemOf({ req, querystring }: Context): string | undefined {
  const hosts = req.rawHeaders.filter(isHostName).length; // headersDistinct would build a list for each header
  if (req.httpVersionMajor < 1) return 'This version of HTTP is not supported.';
  if (hosts === 0 && req.httpVersion === '1.1') return 'The request has no Host header.';
  if (hosts > 1) return 'The request has more than one Host header.';
  if (querystring.split('&').length > valuesMax) return `The query has more than ${valuesMax} parameters.`;
  return undefined;
}

/** Whether an element of `rawHeaders`, where names and values alternate, is the name Host. */
const isHostName = (text: string, index: number) =>
  index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
