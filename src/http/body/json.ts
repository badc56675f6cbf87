import { malformed } from './errors.ts';
import { decodeUtf8, depthMax } from './text.ts';

const quote = 0x22;
const backslash = 0x5c;
const byteOrderMark = 0xfeff;
const opening = new Set([0x5b, 0x7b]); // [ {
const closing = new Set([0x5d, 0x7d]); // ] }

/** Parses a JSON object. Lone surrogates written as escapes pass: the schemas refuse them. */
export function parseJson(bytes: Buffer): Record<string, unknown> {
  const decoded = decodeUtf8(bytes, 'The body');
  const text = decoded.charCodeAt(0) === byteOrderMark ? decoded.slice(1) : decoded;
  if (isTooDeep(text)) throw malformed('The JSON nests too deeply.');
  const value = parse(text);
  if (!isObject(value)) throw malformed('The body is not a JSON object.');
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts brackets outside strings. Exact up to the first syntax error, where JSON.parse stops anyway. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (opening.has(code)) depth += 1;
    else if (closing.has(code)) depth -= 1;
    if (depth > depthMax) return true;
  }
  return false;
}

/** The position of the quote that closes the string, or the end of a text that never closes it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end - 1;
    while (escapes >= start && text.charCodeAt(escapes) === backslash) escapes -= 1;
    if ((end - escapes) % 2 === 1) return end;
  }
  return text.length;
}
