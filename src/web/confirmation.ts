import { digestOf, type Push } from '../domain/index.ts';
import { locales, type Messages, messagesOf } from '../locales/locales.ts';
import { comparableText } from '../text.ts';
import type { Fields } from './forms.ts';

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

/** What is missing from a form of a push. */
export function confirmationProblem(
  { confirmProblems }: Messages,
  { hasPassphrase }: Push,
  fields: Fields,
): string | undefined {
  if (confirmedBy(fields) === undefined) return confirmProblems.unconfirmed;
  return hasPassphrase && !fields.passphrase ? confirmProblems.passphrase : undefined;
}
