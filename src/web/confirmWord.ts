import { locales, messagesOf } from '../locales/locales.ts';
import type { Fields } from './forms.ts';

const confirmWords = new Set(locales.map((locale) => messagesOf(locale).confirm.word));

/** Whether a form has the word that confirms; holding the button sends it too. In any language, since it may have changed. */
export function hasConfirmWord({ word = '' }: Fields): boolean {
  return confirmWords.has(
    word
      .normalize('NFC')
      .trim()
      .toLowerCase()
      .replace(/^["“„]|["“”]$/g, ''),
  );
}
