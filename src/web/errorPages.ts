import { DomainError } from '../domain/index.ts';
import { type ErrorResponse, FormError } from '../http/errors.ts';
import { asSentence, problemSentence, refusalText } from '../locales/wording.ts';
import type { PageContext } from './pageContext.ts';
import { messagePage } from './pages/messagePage.tsx';

/** What is wrong with each field of a form, from a refusal of the domain; empty for any other error. */
export function problemsIn({ messages }: PageContext, error: unknown): Record<string, string> {
  if (!(error instanceof DomainError)) return {};
  if (error.code === 'too_large') return { files: refusalText(messages, error) };
  const sentences = Object.entries(error.problems).flatMap(([field, [first]]) =>
    first === undefined ? [] : [[field, problemSentence(messages, first)]],
  );
  return Object.fromEntries(sentences);
}

/** The page of a failure of ours, of a database out of reach, or of what trying again does not help. */
export function failurePage(page: PageContext, response: ErrorResponse | undefined, error: unknown): string {
  const { title, failure, unavailable } = page.messages.errorPage;
  if (response === undefined) return messagePage(page, { title, text: failure });
  const isFinal = error instanceof DomainError && error.retryAfterSeconds === undefined;
  return messagePage(page, { title, text: isFinal ? refusalText(page.messages, error) : unavailable });
}

/** The page of a refusal that no page shows in its own way. */
export function refusalPage(
  page: PageContext,
  { status, body, retryAfterSeconds = 1 }: ErrorResponse,
  error: unknown,
): string {
  const { title, tooMany, notFound, ...texts } = page.messages.errorPage;
  if (error instanceof FormError) return messagePage(page, { title, text: texts[error.reason] });
  if (status === 429) return messagePage(page, { title, text: tooMany(retryAfterSeconds) });
  if (status === 404) return messagePage(page, notFound);
  const text = error instanceof DomainError ? refusalText(page.messages, error) : body.error;
  return messagePage(page, { title, text: asSentence(text) });
}
