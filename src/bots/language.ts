import { type Locale, type Messages, messagesOf, toLocale } from '../locales/locales.ts';
import { type Cards, createCards } from './cards/cards.ts';
import { createForms, type Forms } from './forms/forms.ts';

/** Everything that people in a chat read, in one language. */
export type Language = { locale: Locale; messages: Messages; cards: Cards; forms: Forms };

/** A user's language, from the language tag of their chat. */
export type ChatReader = { locale?: string | undefined };

const languages = new Map<Locale, Language>();

/** The language of a reader: English where theirs is unknown, or not translated. */
export function languageOf(reader: ChatReader = {}): Language {
  const locale = toLocale(reader.locale);
  const known = languages.get(locale);
  if (known !== undefined) return known;
  const messages = messagesOf(locale);
  const language = { locale, messages, cards: createCards(messages), forms: createForms(messages.chat) };
  languages.set(locale, language);
  return language;
}

export const cardsOf = (reader?: ChatReader): Cards => languageOf(reader).cards;
