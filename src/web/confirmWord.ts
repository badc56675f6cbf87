import { locales, messagesOf } from '../locales/locales.ts';
import { comparableText } from '../text.ts';
import type { Fields } from './forms.ts';

const wordBytesMax = 64;

const confirmWords = new Set(locales.map((locale) => messagesOf(locale).confirm.word));

/** Whether a form has the word that confirms; holding the button sends it too. In any language, since it may have changed. */
export function hasConfirmWord({ word = '' }: Fields): boolean {
  const entered = comparableText(word, wordBytesMax) ?? '';
  return confirmWords.has(
    entered
      .trim()
      .toLowerCase()
      .replace(/^["“„]|["“”]$/g, ''),
  );
}
