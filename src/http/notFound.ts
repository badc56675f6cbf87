import type { Middleware } from 'koa';
import { RequestError } from './errors.ts';

type Matched = { methods: string[] }[];

/** Behind all routes: a path that is known under other methods answers 405 and names them, any other path 404. */
export const notFound: Middleware = async (ctx) => {
  const methods = new Set(((ctx.matched ?? []) as Matched).flatMap((layer) => layer.methods));
  if (methods.size === 0) throw new RequestError(404, 'not-found');
  ctx.set('Allow', [...methods].sort().join(', '));
  throw new RequestError(405, 'method-not-allowed');
};
