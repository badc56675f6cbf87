import { isLong, piecesOf, type TextPiece } from '../public/parts/textPieces.js';
import { longText } from './longText.ts';

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
