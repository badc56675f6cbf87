import { visible } from './terminal.ts';

const columnsMax = 80;

type Column = { title: string; cells: string[]; isFlexible?: boolean };

/** A table. What exceeds 80 columns is cut from its flexible column, never from a url token. Cells may come from anybody. */
export function fitTable(given: Column[]): string {
  const columns = given.map((column) => ({ ...column, cells: column.cells.map(toLine) }));
  const widths = columns.map(({ title, cells }) => Math.max(...[title, ...cells].map(widthOf)));
  const fixed = columns.reduce(
    (sum, { isFlexible }, index) => sum + (isFlexible ? 0 : (widths[index] ?? 0)),
    0,
  );
  const left = Math.max(4, columnsMax - fixed - 2 * (columns.length - 1));
  const row = (cellOf: (column: Column) => string) =>
    columns
      .map((column, index) => {
        const width = Math.min(widths[index] ?? 0, column.isFlexible ? left : Number.POSITIVE_INFINITY);
        return pad(cellOf(column), width);
      })
      .join('  ')
      .trimEnd();
  const count = columns[0]?.cells.length ?? 0;
  return [
    row(({ title }) => title),
    ...Array.from({ length: count }, (_, line) => row(({ cells }) => cells[line] ?? '')),
  ].join('\n');
}

const toLine = (cell: string) => visible(cell).replace(/\s+/g, ' ');

let segmenter: Intl.Segmenter | undefined;
const wide =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u;

/** Creates the segmenter when a text needs it: the data of Intl takes 2 MiB, also in a process that prints no table. */
function segmentsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** The columns that a terminal needs for a text: two for an emoji and for most East Asian characters. */
function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length; // most cells, and at once
  return segmentsOf(text).reduce((sum, segment) => sum + (wide.test(segment) ? 2 : 1), 0);
}

/** The text in exactly so many columns. */
function pad(text: string, width: number): string {
  const fitting = widthOf(text) > width ? cut(text, width) : text;
  return fitting + ' '.repeat(width - widthOf(fitting));
}

function cut(text: string, width: number): string {
  const segments = segmentsOf(text);
  while (widthOf(`${segments.join('')}…`) > width) segments.pop();
  return `${segments.join('')}…`;
}

const units: [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How far away a time is, such as `in 3 days` or `2 hours ago`. */
export function relativeTime(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1_000;
  const [name, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60];
  const count = Math.round(Math.abs(seconds) / size);
  const span = `${count} ${name}${count === 1 ? '' : 's'}`;
  return seconds < 0 ? `${span} ago` : `in ${span}`;
}

/** A time as it is written in tables: in the local zone, to the minute. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}
