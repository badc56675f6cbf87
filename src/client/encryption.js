// Encrypts secrets and files under the key of a link, and decrypts them, in browsers and everywhere else with WebCrypto.
// See docs/encryption.md.
import { keyBytes, keyVersion } from './linkKey.js';

/**
 * What a push holds. With files, `text` is a message, which may be empty.
 * @typedef {{ kind: (typeof secretKinds)[number], text: string, files: { name: string, type: string }[] }} Secret
 */

/**
 * What a stream holds: the secret, with so many files, or the file of this number.
 * @typedef {{ label: string, kind: number, number: number }} StreamPlace
 */

const saltBytes = 16;
const headerBytes = (/** @type {string} */ key) => (keyVersion(key) === 1 ? 17 : 52);
const tagBytes = 16;
const frameBytes = 65_536;
/** Hides how long a short secret is. */
const paddedBytes = 256;

/** What a secret can be. */
export const secretKinds = /** @type {const} */ (['text', 'url', 'qr', 'file']);

/** The key does not fit, or what was encrypted has changed since. */
export class DecryptionError extends Error {
  constructor(/** @type {unknown} */ cause) {
    super('The key does not open this secret.', { cause });
    this.name = 'DecryptionError';
  }
}

/**
 * Encrypts a secret. Its files are encrypted one by one.
 * @param {string} key
 * @param {Secret} secret
 * @returns {Promise<string>} the payload of the push
 */
export async function sealSecret(key, { kind, text, files }) {
  const json = new TextEncoder().encode(JSON.stringify({ kind, text, files }));
  const padding = ' '.repeat(-json.length & (paddedBytes - 1));
  const frames = sealStream(key, secretPlace(files.length), new Blob([json, padding]).stream());
  return toBase64Url(await joined(frames));
}

/**
 * Decrypts a payload. Throws a DecryptionError.
 * @param {string} key
 * @param {string} payload
 * @returns {Promise<Secret>}
 */
export async function openSecret(key, payload) {
  try {
    const bytes = fromBase64Url(payload);
    const place = secretPlace(new DataView(bytes.buffer).getUint16(2));
    const json = await joined(openStream(key, place, new Blob([bytes]).stream()));
    const secret = checkedSecret(JSON.parse(new TextDecoder().decode(json)));
    if (keyVersion(key) > 1 && secret.files.length !== place.number) throw new DecryptionError('other files');
    return secret;
  } catch (error) {
    throw error instanceof DecryptionError ? error : new DecryptionError(error);
  }
}

/**
 * Encrypts a file of a push: the first one has the number 1.
 * @param {string} key
 * @param {number} number
 * @param {ReadableStream<Uint8Array>} content
 */
export const sealFile = (key, number, content) => sealStream(key, filePlace(number), content);

/**
 * Decrypts a file. Everything that it yields is authentic; the file is whole once it ends. Throws a DecryptionError.
 * @param {string} key
 * @param {number} number
 * @param {ReadableStream<Uint8Array>} sealed
 */
export const openFile = (key, number, sealed) => openStream(key, filePlace(number), sealed);

/**
 * How large a file of this encrypted size is.
 * @param {string} key
 * @param {number} sealedBytes
 */
export function fileSize(key, sealedBytes) {
  const bytes = sealedBytes - headerBytes(key);
  return bytes - tagBytes * Math.ceil(bytes / (frameBytes + tagBytes));
}

const secretPlace = (/** @type {number} */ files) => ({ label: 'secret', kind: 0, number: files });
const filePlace = (/** @type {number} */ number) => ({ label: `file/${number}`, kind: 1, number });

/**
 * @param {string} key
 * @param {StreamPlace} place
 * @param {ReadableStream<Uint8Array>} content
 */
async function* sealStream(key, place, content) {
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  const { header, cipher, derived } = await startStream(key, place, salt);
  yield header;
  yield* mapFrames(readPieces(content), frameBytes, (iv, frame) =>
    crypto.subtle.encrypt({ ...cipher, iv }, derived, frame),
  );
}

/**
 * @param {string} key
 * @param {StreamPlace} place
 * @param {ReadableStream<Uint8Array>} sealed
 */
async function* openStream(key, place, sealed) {
  const pieces = readPieces(sealed);
  const given = await pieces.take(headerBytes(key));
  const { header, cipher, derived } = await startStream(key, place, given.slice(-saltBytes));
  const difference = header.reduce((bits, byte, at) => bits | (byte ^ Number(given[at])), 0);
  if (difference !== 0 || given.length !== header.length) throw new DecryptionError('another header');
  yield* mapFrames(pieces, frameBytes + tagBytes, (iv, frame) =>
    crypto.subtle.decrypt({ ...cipher, iv }, derived, frame).catch((error) => {
      throw new DecryptionError(error);
    }),
  );
}

/**
 * The header that a stream with this salt has, and how its frames are encrypted. Each stream has a key of its own, so frames
 * can be numbered. From version 2 on, the header commits to the key, and each frame authenticates it.
 * @param {string} key
 * @param {StreamPlace} place
 * @param {Uint8Array<ArrayBuffer>} salt
 */
async function startStream(key, { label, kind, number }, salt) {
  const version = keyVersion(key);
  const base = await crypto.subtle.importKey('raw', keyBytes(key), 'HKDF', false, ['deriveBits']);
  const derive = async (/** @type {string} */ purpose) => {
    const info = new TextEncoder().encode(`hushpush/${version}/${purpose}`);
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info };
    return new Uint8Array(await crypto.subtle.deriveBits(hkdf, base, 256));
  };
  const aes = 'AES-GCM';
  const derived = await crypto.subtle.importKey('raw', await derive(label), aes, false, [
    'encrypt',
    'decrypt',
  ]);
  if (version === 1) return { header: Uint8Array.of(1, ...salt), cipher: { name: aes }, derived };
  const commitment = await derive('commitment');
  const header = Uint8Array.of(version, kind, number >> 8, number, ...commitment, ...salt);
  return { header, cipher: { name: aes, additionalData: header }, derived };
}

/**
 * The last frame is marked in its nonce, so that a stream which was cut off does not open.
 * @param {ReturnType<typeof readPieces>} pieces
 * @param {number} size
 * @param {(nonce: Uint8Array<ArrayBuffer>, frame: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>} convert
 */
async function* mapFrames({ take, cancel }, size, convert) {
  try {
    let frame = await take(size);
    for (let number = 0; ; number++) {
      const next = await take(size);
      const isLast = next.length === 0;
      const nonce = new Uint8Array(12);
      new DataView(nonce.buffer).setUint32(7, number);
      nonce[11] = Number(isLast);
      yield new Uint8Array(await convert(nonce, frame));
      if (isLast) return;
      frame = next;
    }
  } finally {
    await cancel();
  }
}

/**
 * Reads a stream in pieces; at its end they are shorter, or empty.
 * @param {ReadableStream<Uint8Array>} stream
 */
function readPieces(stream) {
  const reader = stream.getReader();
  let rest = new Uint8Array(0);

  async function take(/** @type {number} */ size) {
    const piece = new Uint8Array(size);
    let filled = 0;
    while (filled < size) {
      if (rest.length === 0) {
        const { done, value } = await reader.read();
        if (done) break;
        rest = new Uint8Array(value);
      }
      const part = rest.subarray(0, size - filled);
      piece.set(part, filled);
      filled += part.length;
      rest = rest.subarray(part.length);
    }
    return piece.subarray(0, filled);
  }

  return { take, cancel: () => reader.cancel() };
}

/** @param {AsyncIterable<Uint8Array<ArrayBuffer>>} chunks */
async function joined(chunks) {
  const parts = [];
  for await (const chunk of chunks) parts.push(chunk);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/**
 * The sender may be anybody, so what they encrypted is checked like any input.
 * @param {any} secret
 * @returns {Secret}
 */
function checkedSecret({ kind, text, files }) {
  const isValid =
    secretKinds.includes(kind) &&
    typeof text === 'string' &&
    Array.isArray(files) &&
    files.every((file) => typeof file?.name === 'string' && typeof file.type === 'string');
  if (!isValid) throw new DecryptionError('not a secret');
  return { kind, text, files };
}

/** @param {Uint8Array} bytes */
export function toBase64Url(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} text */
export function fromBase64Url(text) {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at); // Uint8Array.from is 15 times slower
  return bytes;
}
