import type { Context } from 'koa';
import { findKey } from '../client/findKey.js';
import { findUrlToken } from '../client/links.ts';
import type { PageContext } from './pageContext.ts';
import type { PageResult } from './pageRequest.ts';
import { incompletePage } from './pages/gone.tsx';

/**
 * Leads from a link to a push that has more than itself, or is in capitals, to that link, whether there is such a push or
 * not. Programs that rewrite links may have put the key into the path. Undefined for other addresses.
 */
export function mistypedLink(page: PageContext, { path, search, method }: Context): PageResult | undefined {
  const [, end] = /\/[pfr]\/(.*)$/i.exec(path) ?? [];
  if (end === undefined || method === 'POST') return undefined;
  const urlToken = findUrlToken(end);
  if (urlToken === undefined) return incompletePage(page);
  const key = findKey(end);
  return end === urlToken ? undefined : { to: `/p/${urlToken}${search}${key ? `#${key}` : ''}` };
}
