import { longText } from './longText.ts';

/** As many characters as browsers lay out at once within a few milliseconds. A mebibyte takes them seconds. */
const pieceLength = 8_192;
const searchedForSpace = 128;
const aroundCut = 64;

/**
 * A piece of a text: whole lines, or a part of a line that is too long for one piece. `breaks` are the line breaks that
 * follow it.
 */
type Piece = { text: string; breaks: string; isPart: boolean };

/**
 * The content of a <pre>, exactly. Browsers drop one line break at its start, so the text gets one to drop (HTML, 13.1.2.5).
 * A long text comes in pieces, so that a style sheet can have browsers lay out only those that are on the screen. The text
 * between the tags stays the same: line breaks stand between the pieces, since one at the end of a piece would not show.
 */
export function preformatted(text: string): { __html: string } {
  if (text.length <= pieceLength) return longText(`\n${text}`);
  return { __html: `\n${piecesOf(text).map(markupOf).join('')}` };
}

function markupOf({ text, breaks, isPart }: Piece): string {
  if (text === '') return breaks;
  const { __html } = longText(text);
  return `<span${isPart ? ' class="part"' : ''}>${__html}</span>${breaks}`;
}

function piecesOf(original: string): Piece[] {
  const text = original.replace(/\r\n?/g, '\n'); // as HTML reads it: a piece must not end within a CRLF
  const pieces: Piece[] = [];
  let isMidLine = false;
  for (let start = 0; start < text.length; ) {
    const lineEnd = endOfLines(text, start, isMidLine);
    const end = lineEnd ?? cutOf(text, start + pieceLength);
    const breaks = lineEnd === undefined ? '' : lineBreaksAt(text, end);
    pieces.push({ text: text.slice(start, end), breaks, isPart: isMidLine || lineEnd === undefined });
    isMidLine = lineEnd === undefined;
    start = end + breaks.length;
  }
  return pieces;
}

/** Where the last line that fits ends, or the first one for the rest of a line; undefined if none ends within a piece. */
function endOfLines(text: string, start: number, isMidLine: boolean): number | undefined {
  const piece = text.slice(start, start + pieceLength);
  const first = piece.indexOf('\n');
  if (isMidLine && first >= 0) return start + first;
  const isLast = start + pieceLength >= text.length;
  const last = isLast ? piece.length : piece.lastIndexOf('\n');
  return last < 0 ? undefined : start + piece.slice(0, last).replace(/\n+$/, '').length;
}

function lineBreaksAt(text: string, index: number): string {
  let end = index;
  while (text[end] === '\n') end++;
  return text.slice(index, end);
}

/** Where to cut a long line: after a space, if there is one nearby, and never within what people see as one character. */
function cutOf(text: string, end: number): number {
  const space = text.slice(end - searchedForSpace, end).lastIndexOf(' ');
  if (space >= 0) return end - searchedForSpace + space + 1;
  const around = text.slice(end - aroundCut, end + aroundCut);
  const character = new Intl.Segmenter().segment(around).containing(aroundCut);
  return end - aroundCut + (character?.index ?? aroundCut);
}
