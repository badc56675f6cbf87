import { type DomainError, digestOf, type PushToConfirm } from '../domain/index.ts';
import { locales, type Messages, messagesOf } from '../locales/locales.ts';
import { comparableText } from '../text.ts';
import type { Fields } from './forms.ts';
import { type IssuedNonce, nonceProblem } from './revealNonce.ts';

const wordBytesMax = 64;

/** How a person opens the page of a push: by holding its button, or by typing its word. */
export type Confirmation = 'hold' | 'word';

/** The word of a page. Its nonce draws it, so that no list of words opens every page. */
export function confirmWord({ confirmWords }: Messages, nonce: string): string {
  return confirmWords[digestOf(nonce).readUInt32BE() % confirmWords.length] ?? '';
}

/** How a form was confirmed, if it was. A word counts in any language, since the page's may have changed. */
export function confirmedBy({ held, word = '', nonce = '' }: Fields): Confirmation | undefined {
  if (held === 'yes') return 'hold';
  const entered = (comparableText(word, wordBytesMax) ?? '')
    .trim()
    .toLowerCase()
    .replace(/^["“„]|["“”]$/g, '');
  return locales.some((locale) => confirmWord(messagesOf(locale), nonce) === entered) ? 'word' : undefined;
}

/**
 * Why a form opens nothing, if so. Depends only on what its page could show. It is no attempt at a passphrase: scanners fill
 * in forms and send them.
 */
export function formRefusal(
  { confirmProblems }: Messages,
  fields: Fields,
  nonce: IssuedNonce | undefined,
  { now, hasPassphrase }: PushToConfirm,
): { status: number; problem: string } | undefined {
  const state = nonceProblem(nonce, now);
  if (state !== undefined) return { status: state === 'late' ? 409 : 403, problem: confirmProblems[state] };
  if (confirmedBy(fields) === undefined) return { status: 422, problem: confirmProblems.unconfirmed };
  return hasPassphrase && !fields.passphrase
    ? { status: 422, problem: confirmProblems.passphrase }
    : undefined;
}

/** That a passphrase was wrong, and how often it can be tried yet. */
export function wrongPassphraseText({ confirmProblems }: Messages, { triesLeft }: DomainError): string {
  const tries = triesLeft === undefined ? '' : ` ${confirmProblems.triesLeft(triesLeft)}`;
  return `${confirmProblems.wrongPassphrase}${tries}`;
}
