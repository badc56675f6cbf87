// The key that opens the answers to a request link, encrypted under what its owner has, as the server stores it.
// See docs/encryption.md, “Sealed answers”.
import { DecryptionError, fromBase64Url, openSecret, sealSecret, toBase64Url } from './encryption.js';
import { findKey } from './findKey.js';
import { digitsOf } from './linkKey.js';
import { hkdf } from './sealing.js';

const iterations = 600_000;
const iterationsMax = 10_000_000;
const passphrasePattern = /^(\d{6,8})\.([\w-]{22})\.([\w-]+)$/;
/** A credential id has at most 1023 bytes (WebAuthn, Level 3, 5.8.3). */
const passkeyPattern = /^prf\.([\w-]{1,1364})\.([\w-]{43})\.([\w-]+)$/;

/**
 * Encrypts an opening key under a passphrase.
 * @param {string} openingKey
 * @param {string} passphrase
 */
export async function wrapKey(openingKey, passphrase) {
  const salt = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  const key = await passphraseKey(passphrase, salt, iterations);
  return `${iterations}.${salt}.${await seal(key, openingKey)}`;
}

/**
 * Decrypts an opening key. Throws a DecryptionError for another passphrase.
 * @param {string} wrapped
 * @param {string} passphrase
 */
export async function unwrapKey(wrapped, passphrase) {
  const [, count, salt = '', payload = ''] = passphrasePattern.exec(wrapped) ?? [];
  if (!(Number(count) <= iterationsMax)) throw new DecryptionError('not a wrapped key');
  return open(await passphraseKey(passphrase, salt, Number(count)), payload);
}

/**
 * Encrypts an opening key under the secret that a passkey has for a salt of 32 bytes (WebAuthn, Level 3, 10.1.4, `prf`).
 * @param {{ openingKey: string, publicKeys: string }} keys
 * @param {{ credentialId: string, salt: Uint8Array, secret: Uint8Array<ArrayBuffer> }} passkey
 */
export async function wrapKeyByPasskey({ openingKey, publicKeys }, { credentialId, salt, secret }) {
  const key = await passkeyKey(secret, publicKeys);
  return `prf.${credentialId}.${toBase64Url(salt)}.${await seal(key, openingKey)}`;
}

/** The passkey that an opening key is encrypted under, and its salt; undefined if it is none. @param {string} wrapped */
export function findPasskey(wrapped) {
  const [, credentialId = '', salt] = passkeyPattern.exec(wrapped) ?? [];
  return salt === undefined ? undefined : { credentialId, salt: fromBase64Url(salt) };
}

/**
 * Decrypts an opening key. Throws a DecryptionError for the secret of another passkey, and for other public keys.
 * @param {{ wrapped: string, publicKeys: string }} keys
 * @param {Uint8Array<ArrayBuffer>} secret
 */
export async function unwrapKeyByPasskey({ wrapped, publicKeys }, secret) {
  const [, , , payload = ''] = passkeyPattern.exec(wrapped) ?? [];
  return open(await passkeyKey(secret, publicKeys), payload);
}

/** @param {string} key @param {string} openingKey */
const seal = (key, openingKey) => sealSecret(key, { kind: 'text', text: openingKey, files: [] });

/** @param {string} key @param {string} payload */
async function open(key, payload) {
  const { text } = await openSecret(key, payload);
  const openingKey = findKey(text);
  if (openingKey === undefined) throw new DecryptionError('not a key');
  return openingKey;
}

/** A passphrase as a key of docs/encryption.md. @param {string} passphrase @param {string} salt @param {number} count */
async function passphraseKey(passphrase, salt, count) {
  const text = new TextEncoder().encode(passphrase.normalize('NFC'));
  const base = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveBits']);
  const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: fromBase64Url(salt), iterations: count };
  return `2${digitsOf(new Uint8Array(await crypto.subtle.deriveBits(pbkdf2, base, 256)))}`;
}

/** The secret of a passkey as such a key. @param {Uint8Array<ArrayBuffer>} secret @param {string} publicKeys */
const passkeyKey = async (secret, publicKeys) =>
  `2${digitsOf(await hkdf(secret, `hushpush/2/passkey/${publicKeys}`))}`;
