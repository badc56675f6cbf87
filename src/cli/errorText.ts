import { type DomainError, toRefusal } from '../domain/index.ts';
import { en } from '../locales/en.ts';
import { refusalText } from '../locales/wording.ts';

/** One line about an error, safe to show: a database error is named, never quoted. */
export function errorText(error: unknown): string {
  const refusal = toRefusal(error);
  if (refusal === undefined) return error instanceof Error ? error.message : 'Something went wrong.';
  const text = refusalText(en, refusal);
  return refusal.code === 'unavailable' && refusal.cause instanceof Error
    ? `${text} (${causeOf(refusal)})`
    : text;
}

function causeOf({ cause }: DomainError): string {
  const { name, message, code, parent } = cause as Error & { code?: string; parent?: { code?: string } };
  return parent?.code ?? code ?? (name === 'Error' ? message : name);
}
