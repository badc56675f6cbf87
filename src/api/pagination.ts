import type { Context } from 'koa';
import type { Links } from '../http/links.ts';
import { pageMax, pageNumberOf } from '../http/params.ts';

/** As many entries as a full page has. */
const pageSize = 50;

/**
 * Returns the page of a list that the request asks for. While there is a next one, `Link` leads to it (RFC 8288). Only
 * behind a full page can there be one, so only then is it looked for.
 */
export async function readPage<Entry>(
  ctx: Context,
  links: Links,
  read: (page: number) => Promise<Entry[]>,
): Promise<Entry[]> {
  const page = pageNumberOf(ctx);
  const entries = await read(page);
  if (entries.length < pageSize || page === pageMax || (await read(page + 1)).length === 0) return entries;
  const query = new URLSearchParams(ctx.querystring);
  query.set('page', String(page + 1));
  ctx.append('Link', `<${links.baseUrl}${ctx.path}?${query}>; rel="next"`);
  return entries;
}
