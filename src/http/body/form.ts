import { malformed } from './errors.ts';
import { assignValue, emptyTree, type FormTree } from './names.ts';
import { decodeUtf8 } from './text.ts';

const pairsMax = 1000;
const percent = 0x25;

/** Parses application/x-www-form-urlencoded like the WHATWG URL Standard, but refuses invalid UTF-8 instead of replacing it. */
export function parseForm(bytes: Buffer): FormTree {
  const text = bytes.toString('latin1');
  const tree = emptyTree();
  let pairs = 0;
  for (let at = 0; at < text.length; ) {
    const end = indexOrEnd(text, '&', at);
    if (end > at) {
      pairs += 1;
      if (pairs > pairsMax) throw malformed(`The form has more than ${pairsMax} values.`);
      assignPair(tree, text.slice(at, end));
    }
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
  return decodeUtf8(percentDecode(Buffer.from(encoded.replaceAll('+', ' '), 'latin1')), what);
}

/** Decodes `%41` in place; leaves percent signs alone that two hexadecimal digits do not follow. */
export function percentDecode(bytes: Buffer): Buffer {
  let written = bytes.indexOf(percent);
  if (written === -1) return bytes;
  for (let at = written; at < bytes.length; at += 1) {
    const byte = bytes[at] === percent ? hexByte(bytes, at + 1) : undefined;
    bytes[written] = byte ?? bytes[at] ?? 0;
    written += 1;
    if (byte !== undefined) at += 2;
  }
  return bytes.subarray(0, written);
}

function hexByte(bytes: Buffer, at: number): number | undefined {
  const digits = bytes.toString('latin1', at, at + 2);
  return /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}
