import type { z } from 'zod';
import { DomainError, type FieldErrors } from '../errors.ts';

/** Checks input against its schema. Refuses with `invalid`, naming every field that is wrong, and never a value. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: FieldErrors = {};
  for (const { path, message } of parsed.error.issues) {
    const field = path.length === 0 ? 'input' : path.join('.');
    fields[field] = [...(fields[field] ?? []), message];
  }
  const [[field, [problem]] = ['input', ['is invalid']]] = Object.entries(fields);
  throw new DomainError('invalid', `${field} ${problem}`, { fields });
}
