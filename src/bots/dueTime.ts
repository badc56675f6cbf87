import type { ChatMessages } from './messages.ts';

type DueWords = ChatMessages['requests']['dueWords'];

const unitMinutes = { minutes: 1, hours: 60, days: 24 * 60, weeks: 7 * 24 * 60 } as const;
const units = Object.keys(unitMinutes) as (keyof typeof unitMinutes)[];

/**
 * Reads a due time before or after what somebody asks for, such as “within 2 days”, in the words of these languages. The
 * rest is what they ask for.
 */
export function readDueTime(
  text: string,
  languages: ChatMessages[],
): { reason: string; dueInMinutes?: number } {
  const words = languages.map(({ requests }) => requests.dueWords);
  const anyUnit = units.map((unit) => anyOf(words, unit)).join('|');
  const due = `(?:${anyOf(words, 'within')})\\s+(?<count>\\d{1,4}|${anyOf(words, 'one')})\\s*(?<unit>${anyUnit})`;
  const found =
    new RegExp(`^${due}(?![\\p{L}\\p{N}])[,.:;]?(?<reason>[^]*)$`, 'iu').exec(text) ??
    new RegExp(`^(?<reason>[^]*?)(?<![\\p{L}\\p{N}])${due}[.!]?\\s*$`, 'iu').exec(text);
  if (found?.groups === undefined) return { reason: text };
  const { reason = '', count = '', unit = '' } = found.groups;
  const number = /^\d/.test(count) ? Number(count) : 1;
  const named = units.find((each) => words.some((own) => own[each].includes(unit.toLowerCase())));
  return {
    reason: reason.trim().replace(/[,;:]$/, ''),
    dueInMinutes: number * unitMinutes[named ?? 'minutes'],
  };
}

/** Longer words first, so that none hides behind its beginning. */
const anyOf = (words: DueWords[], kind: keyof DueWords): string =>
  words
    .flatMap((each) => each[kind])
    .sort((a, b) => b.length - a.length)
    .join('|');
