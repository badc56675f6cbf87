import type { Context } from 'koa';
import { one } from '../http/params.ts';

/** The text for what a form has just done, which its redirect to this page names in `?done=`. */
export function successText({ query }: Context, texts: Record<string, string>): string | undefined {
  const done = one(query.done) ?? '';
  return Object.hasOwn(texts, done) ? texts[done] : undefined;
}
