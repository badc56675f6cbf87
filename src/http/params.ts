import type { Context } from 'koa';
import { isJsonObject } from './body/json.ts';
import { RequestError } from './errors.ts';

/** The last page of a list. */
export const pageMax = 200;

/** The last value of a parameter; undefined if it is absent or empty. */
export function one(value: string | string[] | undefined): string | undefined {
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last === '' ? undefined : last;
}

/** The last value of a parameter that the request must have. */
export function requiredQuery(ctx: Context, name: string): string {
  const value = one(ctx.query[name]);
  if (value === undefined) throw missingParameter(ctx, name);
  return value;
}

/** What is read from the value of a parameter; undefined if it is absent or empty. It must be readable. */
export function readParameter<Value>(
  { query }: Context,
  name: string,
  maybeRead: (text: string) => Value | undefined,
): Value | undefined {
  const text = one(query[name]);
  const value = text === undefined ? undefined : maybeRead(text);
  if (text !== undefined && value === undefined) throw invalidParameter(name);
  return value;
}

/** The value of a parameter that has one of these; undefined if it is absent or empty. */
export const oneOf = <Value extends string>(
  ctx: Context,
  name: string,
  values: readonly Value[],
): Value | undefined => readParameter(ctx, name, (text) => values.find((each) => each === text));

/** The requested page of a list, from 1. */
export function pageNumberOf({ query }: Context): number {
  const text = one(query.page) ?? '1';
  const page = Number(text);
  if (!/^-?\d+$/.test(text) || page > pageMax) throw invalidParameter('page');
  return Math.max(1, page);
}

const invalidParameter = (name: string) => new RequestError(400, `Invalid ${name} parameter`);

/** The value of the first of these names that is an object; undefined if none is. */
export function rootObject(values: Record<string, unknown>, names: readonly string[]): object | undefined {
  return names.map((name) => values[name]).find(isJsonObject);
}

/** The error for a request without a required parameter, worded as Rails words it. */
export function missingParameter(ctx: Context, name: string | undefined): RequestError {
  const isInQuery = ctx.method === 'POST' && Object.keys(ctx.query).some((key) => key.startsWith(`${name}[`));
  const message = `param is missing or the value is empty or invalid: ${name}`;
  return new RequestError(400, message, isInQuery ? 'sendInBody' : undefined);
}

/** The first capture of a route whose path is a regular expression. */
export function capturedToken({ captures }: Context): string {
  return captures?.[0] ?? '';
}
