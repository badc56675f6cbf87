import type { Locale } from '../../src/locales/locales.ts';

/** Somebody who looks at a picture of a chat. */
export type PictureReader = {
  locale: Locale;
  nameOf: (id: string) => string;
  /** A moment in seconds as the pictures show it: all of them are drawn on the same day. */
  dateOf: (seconds: number) => Date;
};

const drawnAt = Date.UTC(2026, 10, 21, 14, 30, 1);

/** A reader in UTC, among these people. */
export function createReader(locale: Locale, people: { id: string; name: string }[]): PictureReader {
  const laterMs = drawnAt - Date.now();
  return {
    locale,
    nameOf: (id) => people.find((person) => person.id === id)?.name ?? id,
    dateOf: (seconds) => new Date(seconds * 1_000 + laterMs),
  };
}

const languageTags: Record<Locale, string> = { en: 'en-US', de: 'de-DE' };

/** A moment as `options` say, in the reader's language. */
export function formatted(
  { locale, dateOf }: PictureReader,
  seconds: number,
  options: Intl.DateTimeFormatOptions,
): string {
  const format = new Intl.DateTimeFormat(languageTags[locale], { timeZone: 'UTC', ...options });
  return format.format(dateOf(seconds)).replace(' at ', ' ').replace(' um ', ' ');
}

/** The time of every message in the pictures. */
export const messageTime = (reader: PictureReader): string =>
  formatted({ ...reader, dateOf: () => new Date(drawnAt) }, 0, { timeStyle: 'short' });

type SlackTexts = Record<
  'onlyYou' | 'optional' | 'thread' | 'reply' | 'home' | 'messages' | 'about' | 'select',
  string
>;
type DiscordTexts = Record<
  'onlyYou' | 'dismiss' | 'used' | 'today' | 'cancel' | 'submit' | 'select' | 'warning',
  string
>;

type MattermostTexts = Record<'onlyYou' | 'optional' | 'cancel' | 'select', string>;
type PlatformTexts = { slack: SlackTexts; discord: DiscordTexts; mattermost: MattermostTexts };

/** What the chats say themselves. */
export const platformTexts: Record<Locale, PlatformTexts> = {
  en: {
    slack: {
      onlyYou: 'Only visible to you',
      optional: '(optional)',
      thread: 'Thread',
      reply: '1 reply',
      home: 'Home',
      messages: 'Messages',
      about: 'About',
      select: 'Select an option',
    },
    discord: {
      onlyYou: 'Only you can see this',
      dismiss: 'Dismiss message',
      used: 'used',
      today: 'Today at',
      cancel: 'Cancel',
      submit: 'Submit',
      select: 'Make a selection',
      warning:
        'This form will be submitted to hushpush. Do not share passwords or other sensitive information.',
    },
    mattermost: {
      onlyYou: '(Only visible to you)',
      optional: '(optional)',
      cancel: 'Cancel',
      select: 'Select',
    },
  },
  de: {
    slack: {
      onlyYou: 'Nur für dich sichtbar',
      optional: '(optional)',
      thread: 'Thread',
      reply: '1 Antwort',
      home: 'Home',
      messages: 'Nachrichten',
      about: 'Info',
      select: 'Option auswählen',
    },
    discord: {
      onlyYou: 'Nur du kannst dies sehen',
      dismiss: 'Nachricht verwerfen',
      used: 'hat benutzt:',
      today: 'Heute um',
      cancel: 'Abbrechen',
      submit: 'Absenden',
      select: 'Triff eine Auswahl',
      warning:
        'Dieses Formular wird an hushpush gesendet. Teile keine Passwörter oder anderen vertraulichen Informationen.',
    },
    mattermost: {
      onlyYou: '(Nur für Sie sichtbar)',
      optional: '(optional)',
      cancel: 'Abbrechen',
      select: 'Auswählen',
    },
  },
};
