import { isLong, piecesOf, type TextPiece } from '../public/parts/textPieces.js';

/**
 * The content of a <pre>, exactly. Browsers drop one line break at its start, so the text gets one to drop (HTML, 13.1.2.5).
 * A long text comes in pieces; decrypt.js makes the same of a text that it decrypted.
 */
export function preformatted(text: string): { __html: string } {
  if (!isLong(text)) return longText(`\n${text}`);
  const lines = text.replace(/\r\n?/g, '\n'); // as HTML reads it: a piece must not end within a CRLF
  return { __html: `\n${piecesOf(lines).map(markupOf).join('')}` };
}

function markupOf({ text, breaks, className }: TextPiece): string {
  if (text === '') return breaks;
  const { __html } = longText(text);
  return `<span${className && ` class="${className}"`}>${__html}</span>${breaks}`;
}

const blockLength = 8_192;

/**
 * The text content of an element, for texts of up to a mebibyte. Preact appends each escaped character to a string, which
 * takes a tenth of a second for a mebibyte of quotation marks. In text, only these two characters mean something (HTML,
 * 13.1.2), and joining pieces is fast; in blocks, since the pieces of a long text cost more than those of short ones.
 */
export function longText(text: string): { __html: string } {
  const blocks: string[] = [];
  for (let at = 0; at < text.length; at += blockLength)
    blocks.push(escaped(text.slice(at, at + blockLength)));
  return { __html: blocks.join('') };
}

const escaped = (text: string) => text.split('&').join('&amp;').split('<').join('&lt;');

/**
 * Keeps browsers from sending a text to a translation service, and from changing it (HTML, the translate attribute). Preact
 * leaves out an attribute that is false, as its type has it.
 */
export const untranslated = { translate: 'no' } as unknown as { translate: boolean };
