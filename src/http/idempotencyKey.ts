import type { Context } from 'koa';
import { RequestError } from './errors.ts';

/** A string of RFC 9651, and the same without quotes, as many clients send it. */
const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const bare = /^[!#-~]+$/;

/**
 * The Idempotency-Key of a request, without its quotes; undefined if it has none. A key must be too long to be guessed or
 * to be chosen twice, because it also encrypts what is stored under it.
 */
export function idempotencyKeyOf(ctx: Context): string | undefined {
  const header = ctx.get('Idempotency-Key');
  if (header === '') return undefined;
  const key = quoted.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? bare.exec(header)?.[0] ?? '';
  if (key.length < 16 || key.length > 255)
    throw new RequestError(400, 'Idempotency-Key must have 16 to 255 visible characters, such as a UUID.');
  return key;
}
