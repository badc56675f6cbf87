import type { Context } from 'koa';
import { one } from '../http/params.ts';

/** The log of a push has 2,000 rows at most, and so fewer pages. */
export const lastLogPage = 100;

/** The page of a list that an address asks for: from 1 to the last one, whatever it says. */
export function pageNumberWithin({ query }: Context, lastPage: number): number {
  const page = Number.parseInt(one(query.page) ?? '1', 10);
  return Math.min(Math.max(1, page || 1), lastPage);
}

/** The text for what a form has just done, which its redirect to this page names in `?done=`. */
export function successText({ query }: Context, texts: Record<string, string>): string | undefined {
  const done = one(query.done) ?? '';
  return Object.hasOwn(texts, done) ? texts[done] : undefined;
}
