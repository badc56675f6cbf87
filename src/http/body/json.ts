import { malformed } from './errors.ts';
import { decodeUtf8, depthMax, valuesMax } from './text.ts';

const byteOrderMark = 0xfeff;
const [quote, backslash, comma, opening, closing] = [1, 2, 3, 4, 5];
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

/** The position of the quote that closes the string, or beyond the end of a text that never closes it. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  for (; at < bytes.length; at += 1) {
    const kind = kinds[bytes[at] ?? 0];
    if (kind === quote) break;
    if (kind === backslash) at += 1;
  }
  return at;
}
