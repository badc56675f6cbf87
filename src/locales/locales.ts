import { de } from './de.ts';
import { en, type Messages } from './en.ts';

export type { Messages };

/** To add a language, write a file like `de.ts` and enter it here. */
const languages = { en, de } satisfies Record<string, Messages>;

export type Locale = keyof typeof languages;

export const locales = Object.keys(languages) as Locale[];

export function isLocale(text: string | undefined): text is Locale {
  return text !== undefined && Object.hasOwn(languages, text);
}

export function messagesOf(locale: Locale): Messages {
  return languages[locale];
}
