import { isoTime } from '../time.ts';

/** Plain text, or something that each chat writes in its own markup. */
export type TextPart =
  | string
  | { bold: string }
  | { code: string }
  /** A mention, by address. */
  | { person: string }
  /** Epoch milliseconds, shown in the reader's time zone. */
  | { time: number; as: 'date' | 'moment' }
  | { link: string; label: string };

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

/** A line without markup, for places that have none. Lines shown there mention nobody, and no times. */
export function toPlainText(line: Line): string {
  return line
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('bold' in part) return part.bold;
      if ('code' in part) return part.code;
      if ('person' in part) return part.person;
      return 'link' in part ? part.label : isoTime(part.time);
    })
    .join('');
}
