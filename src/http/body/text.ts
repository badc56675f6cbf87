import { isUtf8 } from 'node:buffer';
import { utf8Text } from '../../text.ts';
import { malformed } from './errors.ts';

/** How deep names or JSON may nest, counting the root object. */
export const depthMax = 32;

/** How many values JSON or a form may have. A push has less than twenty. */
export const valuesMax = 200;

/** Decodes strictly: invalid UTF-8 is malformed and never replaced, and a byte order mark is kept. `what` is for the error. */
export function decodeUtf8(bytes: Buffer, what: string): string {
  if (!isUtf8(bytes)) throw malformed(`${what} is not valid UTF-8.`, 'sendUtf8');
  return utf8Text(bytes);
}

/** UTF-8, or a charset that is a subset of it. */
export function isUtf8Charset(label: string): boolean {
  return /^(?:utf-?8|(?:us-)?ascii)$/i.test(label);
}
