import { isAscii } from 'node:buffer';

/** Thirty combining marks in a row, and one more. */
const longRun = /\p{M}{30}(?=\p{M})/gu;
const combiningGraphemeJoiner = '\u034f';
/** Text without these is in Normalization Form C, and has no combining marks. */
const mayChange = /[\u0300-\uffff]/;

/**
 * A text as it is compared, hashed or searched: in Normalization Form C. Undefined if it is longer than `bytesMax` bytes of
 * UTF-8. Normalizing takes time by the square of a run of combining marks, so long runs are cut first, as the Stream-Safe
 * Text Format does (UAX #15, section 13). Nothing else may call `normalize`.
 */
export function comparableText(text: string, bytesMax: number): string | undefined {
  if (Buffer.byteLength(text) > bytesMax) return undefined;
  if (!mayChange.test(text)) return text;
  return text.replace(longRun, `$&${combiningGraphemeJoiner}`).normalize('NFC');
}

/**
 * The text of bytes that are known to be UTF-8. Of a mebibyte in ASCII, which most long texts are, V8 makes a string in a
 * third of the time if it need not look for other characters.
 */
export function utf8Text(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
