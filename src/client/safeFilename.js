/** Devices of Windows, with any ending. */
const reservedName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A file name without path separators, control characters and characters that change the text direction, and none that a
 * system reserves or cuts. Senders may be anybody.
 * @param {string} filename
 */
export function safeFilename(filename) {
  const name = filename.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}/\\]/gu, '_').replace(/[. ]+$/, '');
  return reservedName.test(name) ? `_${name}` : name || '_';
}
