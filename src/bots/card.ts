import { isoTime } from '../time.ts';

/** Plain text, or something that each chat writes in its own markup. */
export type TextPart =
  | string
  | { bold: string }
  | { code: string }
  /** A mention, by address. */
  | { person: string }
  | TimePart
  | { link: string; label: string };

/** Epoch milliseconds, shown in the reader's time zone. */
export type TimePart = { time: number; as: 'date' | 'moment' };

export type Line = TextPart[];

/** A date and time. */
export const moment = (time: number): TextPart => ({ time, as: 'moment' });

/**
 * `id` is one of `actions`, `value` what it acts on. A button that must ask first has an action that asks. Chats with a
 * confirmation of their own draw `confirm` instead, with the action that it leads to.
 */
export type Button = {
  label: string;
  style?: 'primary' | 'danger';
  confirm?: { id: string; title: string; text: string; yes: string; no: string };
} & ({ id: string; value: string } | { url: string; id: string; value?: string });

/** One entry of a list, with its buttons. */
export type Item = {
  line: Line;
  buttons: Button[];
  /** For chats without room for buttons beside each entry: its text in a menu, and the action that shows it alone. */
  label: string;
  details: { id: string; value: string };
};

/** A message as data. Each chat renders it. */
export type Card = {
  /** A sentence that stands alone, for notifications and screen readers. */
  summary: Line;
  lines: Line[];
  items?: Item[];
  /** What a menu of the items asks for. */
  itemsPrompt?: string;
  /** Small print below. */
  footnotes?: Line[];
  buttons?: Button[];
};

/** A card of text alone. */
export function textCard(...lines: (string | Line)[]): Card {
  const all = lines.map((line) => (typeof line === 'string' ? [line] : line));
  return { summary: all[0] ?? [], lines: all };
}

/** How a chat writes each part of a line. */
export type Markup = {
  text(text: string): string;
  bold(text: string): string;
  code(text: string): string;
  person(address: string): string;
  time(time: TimePart): string;
  link(url: string, label: string): string;
};

/** A line in the markup of a chat. What is bold or code stays on one line, and has no mark that would end it. */
export function inMarkup(line: Line, markup: Markup): string {
  const parts = line.map((part) => {
    if (typeof part === 'string') return markup.text(part);
    if ('bold' in part) return markup.bold(part.bold.replace(/\s+/g, ' '));
    if ('code' in part) return markup.code(part.code.replaceAll('`', '’').replace(/\s+/g, ' '));
    if ('person' in part) return markup.person(part.person);
    return 'link' in part ? markup.link(part.link, part.label) : markup.time(part);
  });
  return parts.join('');
}

const asItIs = (text: string): string => text;

/** For places without markup, which mention nobody. */
export const plainMarkup: Markup = {
  text: asItIs,
  bold: asItIs,
  code: asItIs,
  person: asItIs,
  time: ({ time }) => isoTime(time),
  link: (_url, label) => label,
};

export const toPlainText = (line: Line): string => inMarkup(line, plainMarkup);
