/** The version of the format, and a number of 256 bits in 52 digits of base 32, which nothing that could be more of it follows. */
const keyPattern = /(?:^\W*|#|%(?:25)*23)([12][01][0-9a-v]{51})(?![0-9a-z])/i;

/** What programs that wrap lines put into a link, as it is and as addresses have it. */
const gaps = /[\s\u00ad\u200b-\u200d\u2060\ufeff]|%(?:0[9AD]|20|C2%A[0D]|E2%80%8[BCD]|E2%81%A0|EF%BB%BF)/gi;

/**
 * Finds the key of an encrypted push in its link, in a fragment, or in a text that is the key alone, whatever punctuation
 * or markup was copied with it. Undefined if there is none, or one that was cut off. See docs/encryption.md.
 * @param {string} text
 */
export function findKey(text) {
  const [, key] = keyPattern.exec(text) ?? keyPattern.exec(text.replace(gaps, '')) ?? [];
  return key?.toLowerCase();
}
