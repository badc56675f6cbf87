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

/** The language of a tag such as `de-AT`, if there are texts in it, or else English. */
export function toLocale(tag = ''): Locale {
  const [language] = tag.toLowerCase().split('-', 1);
  return isLocale(language) ? language : 'en';
}

export function messagesOf(locale: Locale): Messages {
  return languages[locale];
}
