import type { Context, Middleware } from 'koa';
import { RequestError } from './errors.ts';

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
