// Long texts in pieces, for the pages that the service renders and for those that decrypt. A style sheet can have browsers
// lay out only the pieces that are on the screen.

/** As many characters as browsers lay out at once within a few milliseconds. A mebibyte takes them seconds. */
const pieceLength = 8_192;
const searchedForCut = 128;
const aroundCut = 64;
/** Created when a text needs it, because its data takes 2 MiB. @type {Intl.Segmenter | undefined} */
let segmenter;

/** Up to the last space, and up to the last sign between words. What follows must not combine with it. */
const wordEnds = [/^.* (?=[^\p{M}\u200d])/su, /^.*[!-/:-@[-`{-~](?=[^\p{M}\u200d])/su];

/**
 * Whole lines, or a part of a line that is too long for one piece; `className` says which. `breaks` are the line breaks
 * that follow it: they stand between pieces, since one at the end of a piece would not show.
 * @typedef {{ text: string, breaks: string, className: '' | 'part' | 'part last' }} TextPiece
 */

/** Whether a text takes browsers long to lay out at once. @param {string} text */
export const isLong = (text) => text.length > pieceLength;

/**
 * Cuts a text whose line breaks are all `\n`: at the end of lines where it can.
 * @param {string} text
 */
export function piecesOf(text) {
  /** @type {TextPiece[]} */
  const pieces = [];
  for (let start = 0; start < text.length; ) {
    const isMidLine = pieces.at(-1)?.breaks === '';
    const end = endOfLines(text, start, isMidLine) ?? cutOf(text, start + pieceLength);
    const breaks = lineBreaksAt(text, end);
    const endsLine = breaks !== '' || end === text.length;
    const className = endsLine ? (isMidLine ? 'part last' : '') : 'part';
    pieces.push({ text: text.slice(start, end), breaks, className });
    start = end + breaks.length;
  }
  return pieces;
}

/**
 * Where the last line that fits ends, or the first one for the rest of a line; undefined if none ends within a piece.
 * @param {string} text
 * @param {number} start
 * @param {boolean} isMidLine
 */
function endOfLines(text, start, isMidLine) {
  const piece = text.slice(start, start + pieceLength);
  const first = piece.indexOf('\n');
  if (isMidLine && first >= 0) return start + first;
  const isLast = start + pieceLength >= text.length;
  const last = isLast ? piece.length : piece.lastIndexOf('\n');
  return last < 0 ? undefined : start + piece.slice(0, last).replace(/\n+$/, '').length;
}

/** @param {string} text @param {number} index */
function lineBreaksAt(text, index) {
  let end = index;
  while (text[end] === '\n') end++;
  return text.slice(index, end);
}

/**
 * Where to cut a long line: between words if some end nearby, since browsers find no text that stands in two pieces, and
 * never within what people see as one character.
 * @param {string} text
 * @param {number} end
 */
function cutOf(text, end) {
  const start = end - searchedForCut;
  for (const wordEnd of wordEnds) {
    const [words] = wordEnd.exec(text.slice(start, end + 1)) ?? [];
    if (words !== undefined) return start + words.length;
  }
  const around = text.slice(end - aroundCut, end + aroundCut);
  segmenter ??= new Intl.Segmenter();
  const character = segmenter.segment(around).containing(aroundCut);
  return end - aroundCut + (character?.index ?? aroundCut);
}
