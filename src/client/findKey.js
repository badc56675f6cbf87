/** The version of the format, and a number of 256 bits in 52 digits of base 32. */
const keyPattern = /(?:^|#)([12][01][0-9a-v]{51})$/i;

/**
 * Finds the key of an encrypted push in its link, in a fragment, or in a text that is the key alone. Undefined if there is
 * none, or one that was cut off. See docs/encryption.md.
 * @param {string} text
 */
export function findKey(text) {
  return keyPattern.exec(text.trim())?.[1]?.toLowerCase();
}
