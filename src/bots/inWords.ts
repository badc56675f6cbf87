import type { Card, TimePart } from './card.ts';

/** A reader, as far as their chat tells of them. */
export type TimeReader = { locale?: string | undefined; timeZone?: string | undefined };

const formats = new Map<string, Intl.DateTimeFormat>();

/** A time for chats that cannot show it in the reader's time zone by themselves. In UTC, and saying so, where that is unknown. */
export function timeInWords({ time, as }: TimePart, { locale = 'en', timeZone }: TimeReader): string {
  const key = `${locale} ${timeZone} ${as}`;
  const format = formats.get(key) ?? formatOf(locale, timeZone, as);
  formats.set(key, format);
  return timeZone === undefined && as === 'moment' ? `${format.format(time)} UTC` : format.format(time);
}

const formatOf = (locale: string, timeZone = 'UTC', as: 'date' | 'moment') =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    ...(as === 'moment' && { timeStyle: 'short' }),
    timeZone,
  });

/** The addresses of the people in a card, for chats that mention people by their names. */
export function peopleIn({ lines, items = [], footnotes = [], summary }: Card): string[] {
  const all = [summary, ...lines, ...items.map(({ line }) => line), ...footnotes].flat();
  return [
    ...new Set(all.flatMap((part) => (typeof part === 'object' && 'person' in part ? [part.person] : []))),
  ];
}
