import { DomainError } from '../../domain/index.ts';
import { problemSentence } from '../../locales/wording.ts';
import { toPlainText } from '../card.ts';
import type { Language } from '../language.ts';
import type { Outcome } from '../outcome.ts';

/**
 * Why a form was refused, at its fields, for chats that show that in the open form. What concerns no field that the form
 * has stands at the first.
 */
export function fieldErrors(
  fields: string[],
  { card, error }: NonNullable<Outcome>,
  { messages }: Language,
): Record<string, string> {
  const problems = error instanceof DomainError ? Object.entries(error.problems) : [];
  const known = problems.filter(([name]) => fields.includes(name));
  const isWorded = error instanceof DomainError && error.messageCode !== undefined; // more than the problem alone
  const whole = card.lines.map(toPlainText).join(' ');
  if (known[0] !== undefined && isWorded) return { [known[0][0]]: whole };
  if (known.length === 0) return { [fields[0] ?? '']: whole };
  return Object.fromEntries(
    known.map(([name, [first]]) => [name, first === undefined ? '' : problemSentence(messages, first)]),
  );
}
