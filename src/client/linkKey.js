// The key of an encrypted push, as the fragment of its link has it: see docs/encryption.md. Base 32 has no character that
// ends a link early, and its case does not matter.
const newestVersion = '2';

/** Creates a key. */
export const createKey = () => newestVersion + digitsOf(crypto.getRandomValues(new Uint8Array(32)));

/**
 * 32 bytes as a number in 52 digits.
 * @param {Uint8Array} bytes
 */
export function digitsOf(bytes) {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return BigInt(`0x${hex}`).toString(32).padStart(52, '0');
}

/**
 * The 32 bytes that a key stands for.
 * @param {string} key
 */
export function keyBytes(key) {
  const digits = [...key.slice(1)].map((digit) => BigInt(Number.parseInt(digit, 32)));
  const hex = digits
    .reduce((number, digit) => number * 32n + digit, 0n)
    .toString(16)
    .padStart(64, '0');
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/**
 * The version of the format that everything under this key must have. The key says it, so that nobody between sender and
 * recipient can choose an older one.
 * @param {string} key
 */
export const keyVersion = (key) => Number(key[0]);
