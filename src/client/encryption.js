// Encrypts secrets and files under the key of a link, and decrypts them, in browsers and everywhere else with WebCrypto.
// See docs/encryption.md. Pages join this file with others, so its names are used nowhere else.
import { keyBytes } from './linkKey.js';

/**
 * What a push holds. With files, `text` is a message, which may be empty.
 * @typedef {{ kind: 'text' | 'url' | 'qr' | 'file', text: string, files: { name: string, type: string }[] }} Secret
 */

const formatVersion = 1;
const saltBytes = 16;
const tagBytes = 16;
const frameBytes = 65_536;
/** Hides how long a short secret is. */
const paddedBytes = 256;
const secretKinds = ['text', 'url', 'qr', 'file'];

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
  const frames = sealStream(key, 'secret', new Blob([json, padding]).stream());
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
    const bytes = new Blob([fromBase64Url(payload)]);
    const json = new TextDecoder().decode(await joined(openStream(key, 'secret', bytes.stream())));
    return checkedSecret(JSON.parse(json));
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
export const sealFile = (key, number, content) => sealStream(key, `file/${number}`, content);

/**
 * Decrypts a file. Everything that it yields is authentic; the file is whole once it ends. Throws a DecryptionError.
 * @param {string} key
 * @param {number} number
 * @param {ReadableStream<Uint8Array>} sealed
 */
export const openFile = (key, number, sealed) => openStream(key, `file/${number}`, sealed);

/**
 * How large a file of this encrypted size is.
 * @param {number} sealedBytes
 */
export function fileSize(sealedBytes) {
  const bytes = sealedBytes - 1 - saltBytes;
  return bytes - tagBytes * Math.ceil(bytes / (frameBytes + tagBytes));
}

/**
 * @param {string} key
 * @param {string} label
 * @param {ReadableStream<Uint8Array>} content
 */
async function* sealStream(key, label, content) {
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  const derived = await deriveKey(key, label, salt);
  yield Uint8Array.of(formatVersion, ...salt);
  yield* mapFrames(readPieces(content), frameBytes, (iv, frame) =>
    crypto.subtle.encrypt({ name: 'AES-GCM', iv }, derived, frame),
  );
}

/**
 * @param {string} key
 * @param {string} label
 * @param {ReadableStream<Uint8Array>} sealed
 */
async function* openStream(key, label, sealed) {
  const pieces = readPieces(sealed);
  const header = await pieces.take(1 + saltBytes);
  if (header[0] !== formatVersion) throw new DecryptionError('unknown version');
  const derived = await deriveKey(key, label, header.subarray(1));
  yield* mapFrames(pieces, frameBytes + tagBytes, (iv, frame) =>
    crypto.subtle.decrypt({ name: 'AES-GCM', iv }, derived, frame).catch((error) => {
      throw new DecryptionError(error);
    }),
  );
}

/**
 * Each stream has a key of its own, so frames can be numbered.
 * @param {string} key
 * @param {string} label
 * @param {Uint8Array<ArrayBuffer>} salt
 */
async function deriveKey(key, label, salt) {
  const base = await crypto.subtle.importKey('raw', keyBytes(key), 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode(`hushpush/${formatVersion}/${label}`);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info };
  return crypto.subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
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
function toBase64Url(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} text */
function fromBase64Url(text) {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at); // Uint8Array.from is 15 times slower
  return bytes;
}
