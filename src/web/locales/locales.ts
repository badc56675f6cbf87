import { de } from './de.ts';
import { en, type Words } from './en.ts';

export type { Words };

/** Every language that pages speak. A further one is a file like `de.ts` and its name here. */
const languages = { en, de };

export type Locale = keyof typeof languages;

export const locales = Object.keys(languages) as Locale[];

export function isLocale(text: string | undefined): text is Locale {
  return text !== undefined && Object.hasOwn(languages, text);
}

export function wordsOf(locale: Locale): Words {
  return languages[locale];
}
