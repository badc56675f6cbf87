/** A piece of text: words as they are, or something that each chat writes in its own way. */
export type TextPart =
  | string
  | { bold: string }
  | { code: string }
  /** Somebody, by their address. */
  | { person: string }
  /** A moment, epoch milliseconds, shown in the reader's own time zone. */
  | { time: number; as: 'date' | 'moment' }
  | { link: string; label: string };

export type Line = TextPart[];

/** Something a reader may press. `id` names the act, `value` what it is about. */
export type Button = {
  label: string;
  style?: 'primary' | 'danger';
  /** Asked before the act is done. */
  confirm?: { title: string; text: string; yes: string; no: string };
} & ({ id: string; value: string } | { url: string; id: string; value?: string });

/** One of several things, with what can be done with it. */
export type Item = {
  line: Line;
  buttons: Button[];
  /** The thing in a few plain words, and what shows it alone: for chats that have no room for buttons beside each. */
  label: string;
  details: { id: string; value: string };
};

/** What a person is shown in a chat, whichever it is: each adapter draws it with its own means. */
export type Card = {
  /** One line of plain words, for notifications and for programs that read aloud. */
  summary: string;
  lines: Line[];
  items?: Item[];
  /** Shown smaller, below. */
  footnotes?: Line[];
  buttons?: Button[];
};

/** A card of nothing but words. */
export function textCard(...lines: (string | Line)[]): Card {
  const all = lines.map((line) => (typeof line === 'string' ? [line] : line));
  return { summary: toPlainText(all[0] ?? []), lines: all };
}

/** A line without any form, for where none can be shown. People have no names there, and moments are left out. */
export function toPlainText(line: Line): string {
  return line
    .map((part, at) => {
      if (typeof part === 'string') return part;
      if ('bold' in part) return part.bold;
      if ('code' in part) return part.code;
      if ('person' in part) return at === 0 ? 'Somebody' : 'somebody';
      return 'link' in part ? part.label : '';
    })
    .join('');
}
