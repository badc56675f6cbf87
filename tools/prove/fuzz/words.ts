import type { Random } from '../history/random.ts';

/** Pieces that parsers stumble over, in Latin-1: one byte for each character. */
export const words = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\t',
  ' ',
  '"',
  '\\',
  ';',
  ',',
  ':',
  '=',
  '&',
  '%',
  '%00',
  '%ff',
  '%zz',
  '+',
  '/',
  '//',
  '..',
  '?',
  '#',
  '[',
  ']',
  '{',
  '}',
  '[]',
  '{}',
  '--B',
  '--B--',
  '\r\n--B\r\n',
  '0',
  '-1',
  '1e999',
  '9'.repeat(400),
  'null',
  'true',
  'ü',
  '\xff\xfe',
  '\xcc\x80\xcc\x96'.repeat(200),
  '\xf0\x9f\x98\x80',
  '\ufeff',
  '__proto__',
  'constructor',
  'password',
  'payload',
  'chunked',
  'gzip',
  'identity',
  '*',
  '(',
  '()'.repeat(500),
  'a'.repeat(5_000),
] as const;

/** Some words in a row. */
export function phrase(random: Random, most = 6): string {
  return Array.from({ length: upTo(random, most + 1) }, () => random.pick(words)).join('');
}

/** A word many times over, or a phrase. */
export function long(random: Random, bytesMax: number): string {
  const unit = random.pick(words);
  return random.chance(0.2) ? unit.repeat(1 + upTo(random, bytesMax / unit.length)) : phrase(random);
}

/** A whole number from 0 to below a limit. */
export function upTo(random: Random, limit: number): number {
  return random.integer(0, Math.max(0, Math.floor(limit) - 1));
}
