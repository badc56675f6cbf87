import type { Context } from 'koa';
import type { Links } from '../http/links.ts';
import { hasNextPage } from '../http/pagination.ts';
import { pageMax, pageNumberOf } from '../http/params.ts';

/** Returns the page of a list that the request asks for. While there is a next one, `Link` leads to it (RFC 8288). */
export async function readPage<Entry>(
  ctx: Context,
  links: Links,
  read: (page: number) => Promise<Entry[]>,
): Promise<Entry[]> {
  const page = pageNumberOf(ctx);
  const entries = await read(page);
  if (page === pageMax || !(await hasNextPage(entries, () => read(page + 1)))) return entries;
  const query = new URLSearchParams(ctx.querystring);
  query.set('page', String(page + 1));
  ctx.append('Link', `<${links.baseUrl}${ctx.path}?${query}>; rel="next"`);
  return entries;
}
