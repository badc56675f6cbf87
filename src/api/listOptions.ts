import type { Context } from 'koa';
import { type ListFilter, type PushSort, pushKinds, pushSorts } from '../domain/index.ts';
import { one, oneOf } from '../http/params.ts';

/** Which of their pushes callers ask for, and in which order. */
export function readListOptions(ctx: Context): ListFilter & { sort?: PushSort | undefined } {
  return {
    search: one(ctx.query.search),
    recipient: one(ctx.query.recipient),
    kind: oneOf(ctx, 'kind', pushKinds),
    sort: oneOf(ctx, 'sort', pushSorts),
  };
}
