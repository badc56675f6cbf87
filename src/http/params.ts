import type { Context } from 'koa';
import { RequestError } from './errors.ts';

const pageMax = 200;

/** The last of a parameter's values; undefined where it is absent or empty. */
export function one(value: string | string[] | undefined): string | undefined {
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last === '' ? undefined : last;
}

/** The page that a list is asked for, from 1. */
export function pageNumberOf({ query }: Context): number {
  const text = one(query.page) ?? '1';
  const page = Number(text);
  if (!/^-?\d+$/.test(text) || page > pageMax) throw new RequestError(400, 'Invalid page parameter');
  return Math.max(1, page);
}

/** The object that stands under the first of these names to have one; undefined where none does. */
export function rootObject(values: Record<string, unknown>, names: readonly string[]): object | undefined {
  return names
    .map((name) => values[name])
    .find((value) => typeof value === 'object' && value !== null && !Array.isArray(value)) as
    | object
    | undefined;
}

/** The refusal of a request without something that it needs. */
export function missingParameter(name: string | undefined): RequestError {
  return new RequestError(400, `param is missing or the value is empty or invalid: ${name}`);
}

/** The first captured part of a path that a regular expression matched. */
export function capturedToken({ captures }: Context): string {
  return captures?.[0] ?? '';
}
