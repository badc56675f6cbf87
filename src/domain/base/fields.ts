import { z } from 'zod';
import type { Problem } from '../../errors.ts';
import type { Bounds } from './settings.ts';
import { asMessage } from './validation.ts';

export function wellFormedText() {
  return z
    .string(asMessage({ code: 'text' }))
    .refine((text) => text.isWellFormed(), asMessage({ code: 'wellFormed' }));
}

export function optionalText() {
  return z.preprocess((value) => (isBlank(value) ? null : value), wellFormedText().nullable());
}

export function optionalTextOf(max: number) {
  return optionalText()
    .refine((text) => text === null || hasAtMost(max, text), asMessage(tooLong(max)))
    .meta({ maxLength: max });
}

export function integer({ min, max }: Bounds, byDefault: number) {
  return z
    .preprocess((value) => readInteger(value) ?? byDefault, integerWithin({ min, max }))
    .meta({ default: byDefault });
}

export function optionalInteger(bounds: Bounds) {
  return z.preprocess(readInteger, integerWithin(bounds).optional());
}

export function integerWithin({ min, max }: Bounds) {
  const range = asMessage({ code: 'between', min, max });
  return z.int(range).min(min, range).max(max, range);
}

/** Whether a number was omitted. Python scripts send the word None for it in forms. */
export function isOmitted(value: unknown): boolean {
  return isBlank(value) || value === 'None';
}

function readInteger(value: unknown): unknown {
  if (isOmitted(value)) return undefined;
  return typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
}

/** Spellings of yes and no that HTML forms and older clients send. */
const spellings = new Map<unknown, boolean>([
  ...[true, 'true', 'True', 'on', 'yes', 'checked', '1', 1].map((yes): [unknown, boolean] => [yes, true]),
  ...[false, 'false', 'False', 'off', 'no', '0', 0, ''].map((no): [unknown, boolean] => [no, false]),
]);

export function flag(byDefault: boolean) {
  return z
    .preprocess((value) => readFlag(value) ?? byDefault, z.boolean(asMessage({ code: 'boolean' })))
    .meta({ default: byDefault });
}

export function optionalFlag() {
  return z.preprocess(readFlag, z.boolean(asMessage({ code: 'boolean' })).optional());
}

/** Undefined if nothing was sent. Unknown spellings become a value that is not boolean, so validation fails. */
function readFlag(value: unknown): unknown {
  return value == null ? undefined : (spellings.get(value) ?? 'neither');
}

/** Characters are Unicode code points. A JavaScript string has at most two units per code point. */
export function hasAtMost(max: number, text: string): boolean {
  if (text.length <= max) return true;
  if (text.length > 2 * max) return false;
  let characters = 0;
  for (const _ of text) characters++;
  return characters <= max;
}

export const tooLong = (max: number): Problem => ({ code: 'maxLength', max, unit: 'characters' });

export function isBlank(value: unknown): boolean {
  return value == null || (typeof value === 'string' && value.trim() === '');
}
