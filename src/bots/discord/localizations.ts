import { Locale as DiscordLocale } from 'discord.js';
import { messagesOf, toLocale } from '../../locales/locales.ts';
import type { ChatMessages } from '../messages.ts';

/** Discord's languages that we have texts in. English is for all others. */
const translated = Object.values(DiscordLocale).filter((tag) => toLocale(tag) !== 'en');

/** The English text: what Discord shows where it has no translation. */
export const inEnglish = (pick: (texts: ChatMessages) => string): string => pick(messagesOf('en').chat);

const translationsOf = (pick: (texts: ChatMessages) => string) =>
  Object.fromEntries(translated.map((tag) => [tag, pick(messagesOf(toLocale(tag)).chat)]));

/** A name in all languages. */
export const localizedName = (pick: (texts: ChatMessages) => string) => ({
  name: inEnglish(pick),
  name_localizations: translationsOf(pick),
});

/** A description in all languages. */
export const localizedDescription = (pick: (texts: ChatMessages) => string) => ({
  description: inEnglish(pick),
  description_localizations: translationsOf(pick),
});
