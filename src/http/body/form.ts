import { malformed } from './errors.ts';
import { assignValue, emptyTree, type FormTree } from './names.ts';
import { decodeUtf8, valuesMax } from './text.ts';

const percent = 0x25;
const plus = 0x2b;
const space = 0x20;

/** Parses application/x-www-form-urlencoded like the WHATWG URL Standard, but refuses invalid UTF-8 instead of replacing it. */
export function parseForm(bytes: Buffer): FormTree {
  const text = bytes.toString('latin1');
  const tree = emptyTree();
  let values = 0;
  for (let at = 0; at < text.length; ) {
    const end = indexOrEnd(text, '&', at);
    values += 1;
    if (values > valuesMax) throw malformed(`The form has more than ${valuesMax} values.`);
    if (end > at) assignPair(tree, text.slice(at, end));
    at = end + 1;
  }
  return tree;
}

function assignPair(tree: FormTree, pair: string): void {
  const equals = indexOrEnd(pair, '=', 0);
  const name = decode(pair.slice(0, equals), 'A name in the form');
  assignValue(tree, name, decode(pair.slice(equals + 1), 'A value in the form'));
}

function indexOrEnd(text: string, character: string, start: number): number {
  const index = text.indexOf(character, start);
  return index === -1 ? text.length : index;
}

function decode(encoded: string, what: string): string {
  if (!/[%+\x80-\xff]/.test(encoded)) return encoded;
  const bytes = Buffer.from(encoded, 'latin1');
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === plus) bytes[at] = space;
  return decodeUtf8(percentDecode(bytes), what);
}

/** Decodes `%41` in place; leaves percent signs alone that two hexadecimal digits do not follow. */
export function percentDecode(bytes: Buffer): Buffer {
  let written = bytes.indexOf(percent);
  if (written === -1) return bytes;
  for (let at = written; at < bytes.length; at += 1) {
    const byte = bytes[at] === percent ? hexByte(bytes, at + 1) : -1;
    bytes[written] = byte === -1 ? (bytes[at] ?? 0) : byte;
    written += 1;
    if (byte !== -1) at += 2;
  }
  return bytes.subarray(0, written);
}

/** The byte that two hexadecimal digits stand for; -1 where there are none. */
function hexByte(bytes: Buffer, at: number): number {
  const high = hexDigit(bytes[at] ?? 0);
  const low = hexDigit(bytes[at + 1] ?? 0);
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lowerCase = code | 0x20;
  return lowerCase >= 0x61 && lowerCase <= 0x66 ? lowerCase - 0x57 : -1;
}
