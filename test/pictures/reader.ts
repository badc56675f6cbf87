import type { Locale } from '../../src/locales/locales.ts';

/** Somebody who sees a picture: their language, and the names of people by their ids. */
export type PictureReader = { locale: Locale; nameOf: (id: string) => string | undefined };

/** What Slack and Discord say themselves. Times are the same whenever a picture is drawn. */
export const platformTexts: Record<Locale, Record<'slack' | 'discord', { onlyYou: string; time: string }>> = {
  en: {
    slack: { onlyYou: 'Only visible to you', time: 'Nov 28 at 2:30 PM' },
    discord: { onlyYou: 'Only you can see this · Dismiss message', time: 'November 28, 2026 2:30 PM' },
  },
  de: {
    slack: { onlyYou: 'Nur für dich sichtbar', time: '28. Nov. um 14:30' },
    discord: { onlyYou: 'Nur du kannst dies sehen · Nachricht verwerfen', time: '28. November 2026 14:30' },
  },
};
