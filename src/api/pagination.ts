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
  linkToNext(ctx, links, { page: String(page + 1) });
  return entries;
}

/** A page of a search, and what may follow it: another page, or pushes that it has not looked at. */
type SearchPage<Entry> = { pushes: Entry[]; hasMore: boolean; older: string | undefined };

/** The same for a search. Before it leads to older pushes, a page may be empty. */
export async function readSearchPage<Entry>(
  ctx: Context,
  links: Links,
  read: (page: number) => Promise<SearchPage<Entry>>,
): Promise<Entry[]> {
  const page = pageNumberOf(ctx);
  const { pushes, hasMore, older } = await read(page);
  if (hasMore) linkToNext(ctx, links, { page: String(page + 1) });
  else if (older !== undefined) linkToNext(ctx, links, { before: older });
  return pushes;
}

function linkToNext(ctx: Context, links: Links, { page, before }: { page?: string; before?: string }): void {
  const query = new URLSearchParams(ctx.querystring);
  if (page === undefined) query.delete('page');
  else query.set('page', page);
  if (before !== undefined) query.set('before', before);
  ctx.append('Link', `<${links.baseUrl}${ctx.path}?${query}>; rel="next"`);
}
