import type { z } from 'zod';
import { DomainError, type Problem, type Problems } from '../errors.ts';

/** Checks input against its schema. Refuses with `invalid`, naming every field that is wrong, and never a value. */
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

/** A problem as the message of a Zod issue, which has no room for anything but text. */
export function asMessage(problem: Problem): string {
  return JSON.stringify(problem);
}

/** Zod's own messages, for which no schema names a problem, say nothing that users could use. */
function fromMessage(message: string): Problem {
  return message.startsWith('{') ? JSON.parse(message) : { code: 'invalid' };
}
