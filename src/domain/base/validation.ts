import { z } from 'zod';
import { DomainError, type Problem, type Problems } from '../../errors.ts';
import type { Bounds } from './dependencies.ts';

/** Validates input against its schema. Throws `invalid` with every field that is wrong, never with a value. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems: Problems = {};
  for (const { path, message } of parsed.error.issues) {
    const field = path.length === 0 ? 'input' : path.join('.');
    problems[field] = [...(problems[field] ?? []), fromMessage(message)];
  }
  throw new DomainError('invalid', { problems });
}

/** Encodes a problem as the message of a Zod issue, which can only hold text. */
export function asMessage(problem: Problem): string {
  return JSON.stringify(problem);
}

/** Messages of Zod itself would not help users, so they become `invalid`. */
function fromMessage(message: string): Problem {
  return message.startsWith('{') ? JSON.parse(message) : { code: 'invalid' };
}

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

/** Whether this is the name of a time zone (IANA) whose clocks are known here. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The entries on a page of every list: of pushes, of what happened to one, of deliveries, of accounts. */
export const pageSize = 50;
