import { DomainError, type Problem, toRefusal } from '../../domain/index.ts';
import { type ErrorResponse, FormError } from '../../http/errors.ts';
import type { Messages } from '../../locales/locales.ts';
import { asSentence, problemSentence, refusalText } from '../../locales/wording.ts';
import { type Fields, isInputError } from '../forms.ts';
import type { PageContext } from '../pageContext.ts';
import type { PageRequest } from '../pageRequest.ts';
import { messagePage, type PageMessage } from './messagePage.tsx';

/** What is wrong with each field of a form, from a refusal of the domain; empty for any other error. */
export function problemsIn({ messages }: PageContext, error: unknown): Record<string, string> {
  if (!(error instanceof DomainError)) return {};
  if (error.code === 'too_large') return { files: refusalText(messages, error) };
  const sentences = Object.entries(error.problems).flatMap(([field, [first]]) =>
    first === undefined ? [] : [[field, sentenceOf(messages, field, first)]],
  );
  return Object.fromEntries(sentences);
}

/** A form that is shown again: what was sent with it, and what is wrong with it, or with a field. */
export type RefusedForm = {
  entered?: Fields | undefined;
  problem?: string | undefined;
  problems?: Record<string, string> | undefined;
};

/** What to show again of a form whose input was refused; undefined for other errors. */
export function refusedForm({ page, fields }: PageRequest, error: unknown): RefusedForm | undefined {
  if (!isInputError(error)) return undefined;
  const problem = error.code === 'conflict' ? refusalText(page.messages, error) : undefined;
  return { entered: fields, problem, problems: problemsIn(page, error) };
}

const sentenceOf = (messages: Messages, field: string, problem: Problem) =>
  field === 'payload' && problem.code === 'required'
    ? messages.newPush.empty
    : problemSentence(messages, problem);

/** The page for failures, for an unreachable database, and for errors that a retry does not fix. */
export function failurePage(page: PageContext, error: unknown, requestId: string): string {
  const { title, failure, failureText, requestNumber, unavailable, nothingUsed } = page.messages.errorPage;
  const refusal = toRefusal(error);
  if (refusal === undefined) {
    const hint = requestNumber(requestId);
    return errorPage(page, { title: failure, text: failureText, hint, canRetry: true });
  }
  const text = refusalText(page.messages, refusal);
  if (refusal.retryAfterSeconds === undefined) return errorPage(page, { title, text });
  const mayBeDone = refusal.messageCode === 'commitUnconfirmed';
  return errorPage(page, {
    title: unavailable,
    text: mayBeDone ? text : `${text} ${nothingUsed}`,
    hint: reloads(page),
    canRetry: true,
  });
}

/** The page of a refusal that no page shows in its own way. */
export function refusalPage(
  page: PageContext,
  { status, body, retryAfterSeconds }: ErrorResponse,
  error: unknown,
): string {
  const { title, tooMany, tooManyText, notFound, ...texts } = page.messages.errorPage;
  if (error instanceof FormError) return errorPage(page, { title, text: texts[error.reason] });
  if (status === 429) {
    const text = tooManyText(retryAfterSeconds ?? 1);
    return errorPage(page, { title: tooMany, text, hint: reloads(page), canRetry: true });
  }
  if (status === 404 || status === 405) return errorPage(page, notFound);
  const text = error instanceof DomainError ? refusalText(page.messages, error) : body.error;
  return errorPage(page, { title, text: asSentence(text) });
}

/** The page of a form does not load again: that would send it again, or be another page. */
function reloads({ messages, queryWith }: PageContext): string | undefined {
  return queryWith === undefined ? undefined : messages.errorPage.reloads;
}

/** A page that could not be shown, or a form that did nothing. It leads on: to another try, where that is one press, and home. */
const errorPage = (page: PageContext, message: PageMessage) =>
  messagePage(page, { ...message, class: 'row', canRetry: message.canRetry && page.queryWith !== undefined });
