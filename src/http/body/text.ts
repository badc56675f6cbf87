import { isUtf8 } from 'node:buffer';
import { malformed } from './errors.ts';

/** How deep names or JSON may nest, the root object counted as one. */
export const depthMax = 32;

/** Decodes strictly: invalid UTF-8 is malformed, never replaced, and a byte order mark is kept. `what` names the place. */
export function decodeUtf8(bytes: Buffer, what: string): string {
  if (!isUtf8(bytes)) throw malformed(`${what} is not valid UTF-8.`);
  return bytes.toString('utf8');
}

/** The charsets whose every text is UTF-8 already. */
export function isUtf8Charset(label: string): boolean {
  return /^(?:utf-?8|(?:us-)?ascii)$/i.test(label);
}
