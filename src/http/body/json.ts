import { malformed } from './errors.ts';
import { decodeUtf8, depthMax, valuesMax } from './text.ts';

const byteOrderMark = 0xfeff;
const [quote, backslash, comma, opening, closing] = [1, 2, 3, 4, 5];
/** How far a loop is faster than a call of `indexOf`. */
const nearBytes = 128;
const kinds = new Uint8Array(256);
for (const [characters, kind] of [
  ['"', quote],
  ['\\', backslash],
  [',', comma],
  ['[{', opening],
  [']}', closing],
] as const) {
  for (const byte of Buffer.from(characters)) kinds[byte] = kind;
}

/** Parses a JSON object. Lone surrogates written as escapes pass: the schemas refuse them. */
export function parseJson(bytes: Buffer): Record<string, unknown> {
  refuseLarge(bytes);
  const decoded = decodeUtf8(bytes, 'The body');
  const text = decoded.charCodeAt(0) === byteOrderMark ? decoded.slice(1) : decoded;
  const value = parse(text);
  if (!isJsonObject(value)) throw malformed('The body is not a JSON object.');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // V8's message quotes the body.
    throw malformed('The body is not valid JSON.');
  }
}

/** Whether a value is an object: no array, and not null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Refuses JSON that nests too deeply or has too many values, before JSON.parse spends a second on it. Counts brackets and
 * commas outside strings, which is exact up to the first syntax error, where JSON.parse stops anyway.
 */
function refuseLarge(bytes: Buffer): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const kind = kinds[bytes[at] ?? 0];
    if (kind === 0) continue;
    if (kind === quote) at = endOfString(bytes, at + 1);
    else if (kind === closing) depth -= 1;
    else values += 1;
    if (kind === opening) depth += 1;
    if (depth > depthMax) throw malformed('The JSON nests too deeply.');
    if (values > valuesMax) throw malformed(`The JSON has more than ${valuesMax} values.`);
  }
}

/**
 * The position of the quote that closes the string, or beyond the end of a text that never closes it. After a few bytes it
 * searches for the next quote natively: a loop over a megabyte takes nearly as long as JSON.parse.
 */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    for (const near = Math.min(at + nearBytes, bytes.length); at < near; at += 1) {
      const kind = kinds[bytes[at] ?? 0];
      if (kind === quote) return at;
      if (kind === backslash) at += 1;
    }
    const next = bytes.indexOf('"', at);
    if (next === -1) break;
    if (backslashesBefore(bytes, at, next) % 2 === 0) return next;
    at = next + 1;
  }
  return bytes.length;
}

function backslashesBefore(bytes: Buffer, start: number, end: number): number {
  let first = end;
  while (first > start && kinds[bytes[first - 1] ?? 0] === backslash) first -= 1;
  return end - first;
}
