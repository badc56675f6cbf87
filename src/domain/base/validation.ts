import type { z } from 'zod';
import { DomainError, type Problem, type Problems } from '../../errors.ts';

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
