// Seals the answers to a request link to whoever asked, with HPKE (RFC 9180), in browsers and everywhere else with WebCrypto.
// See docs/encryption.md, “Sealed answers”.
import {
  AEAD_AES_256_GCM,
  CipherSuite,
  KDF_HKDF_SHA256,
  KEM_DHKEM_P256_HKDF_SHA256,
  KEM_DHKEM_X25519_HKDF_SHA256,
} from 'hpke';
import { DecryptionError, fromBase64Url, toBase64Url } from './encryption.js';
import { findKey } from './findKey.js';
import { createKey, digitsOf, keyBytes } from './linkKey.js';

/**
 * What an answer is sealed for: the token of its request link, and an id that whoever answers has chosen.
 * @typedef {{ token: string, answerId: string }} SealingPlace
 */

/**
 * In the order in which those who answer prefer them. The length of a public key in base64url, and that of a sealed key, tell
 * which one it is of.
 */
const curves = [
  { name: 'x25519', kem: KEM_DHKEM_X25519_HKDF_SHA256, publicLength: 43, encapsulatedBytes: 32 },
  { name: 'p256', kem: KEM_DHKEM_P256_HKDF_SHA256, publicLength: 87, encapsulatedBytes: 65 },
];
const contentKeyBytes = 53;
const tagBytes = 16;
const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const fragmentPattern = /#(sealed-1[01][0-9a-v]{51})(?![0-9a-z])/i;

/** `swapped`: the keys are not those that a link promises. `unsupported`: nothing here can use them. */
export class SealingError extends Error {
  constructor(/** @type {'swapped' | 'unsupported'} */ code, /** @type {unknown} */ cause) {
    super(
      code === 'swapped'
        ? 'The server shows other keys than those of the request link. Somebody may have replaced them; nothing was sent or opened.'
        : 'The keys of this request link cannot be used here.',
      { cause },
    );
    this.name = 'SealingError';
    this.code = code;
  }
}

/**
 * Creates the key that opens the answers to a new request link, and the public keys that belong to it: of X25519 if it is
 * known here, and of P-256, for those who do not know the other.
 */
export async function createOpeningKey() {
  const openingKey = createKey();
  const publicKeys = [];
  for (const curve of curves) {
    const pair = await keyPairOf(openingKey, curve).catch(unlessUnsupported);
    if (pair) publicKeys.push(pair.text);
  }
  if (publicKeys.length === 0) throw new SealingError('unsupported', undefined);
  return { openingKey, publicKeys: publicKeys.join('.') };
}

/** What follows `#` in a request link with these keys. @param {string} publicKeys */
export const fragmentOf = async (publicKeys) =>
  `sealed-1${digitsOf(await sha256(`hushpush/2/request/${publicKeys}`))}`;

/** What a request link promises of its keys; undefined if it promises none, or was cut off. @param {string} link */
export function findFragment(link) {
  const [, fragment] = fragmentPattern.exec(link) ?? fragmentPattern.exec(link.replace(/\s/g, '')) ?? [];
  return fragment?.toLowerCase();
}

/** Throws a SealingError unless these keys are those that a link promises. @param {string} publicKeys @param {string} fragment */
export async function requirePromised(publicKeys, fragment) {
  if ((await fragmentOf(publicKeys)) !== fragment) throw new SealingError('swapped', undefined);
}

/**
 * Seals the key of an answer to the first of the public keys that is known here.
 * @param {string} contentKey
 * @param {string} publicKeys
 * @param {SealingPlace} place
 */
export async function sealKey(contentKey, publicKeys, place) {
  for (const text of publicKeys.split('.')) {
    const suite = suiteOf(requiredCurve(({ publicLength }) => publicLength === text.length));
    const publicKey = await suite.DeserializePublicKey(fromBase64Url(text)).catch(unlessUnsupported);
    if (!publicKey) continue;
    const plaintext = new TextEncoder().encode(contentKey);
    const { encapsulatedSecret, ciphertext } = await suite.Seal(publicKey, plaintext, infoOf(place));
    return toBase64Url(Uint8Array.of(...encapsulatedSecret, ...ciphertext));
  }
  throw new SealingError('unsupported', undefined);
}

/**
 * Makes a function that opens the keys of answers. Throws a SealingError if the public keys, which the server shows, do not
 * belong to the opening key. The function throws a DecryptionError for what was sealed to another key, for another link or another
 * answer, or was changed since.
 * @param {string} openingKey
 * @param {string} publicKeys
 */
export async function createOpener(openingKey, publicKeys) {
  for (const text of publicKeys.split('.')) {
    const curve = requiredCurve(({ publicLength }) => publicLength === text.length);
    const own = await keyPairOf(openingKey, curve).catch(unlessUnsupported);
    if (!own) throw new SealingError('unsupported', undefined);
    if (own.text !== text) throw new SealingError('swapped', undefined);
  }
  return async (/** @type {string} */ sealedKey, /** @type {SealingPlace} */ place) => {
    try {
      const bytes = fromBase64Url(sealedKey);
      const length = bytes.length - contentKeyBytes - tagBytes;
      const curve = requiredCurve(({ encapsulatedBytes }) => encapsulatedBytes === length);
      const { pair } = await keyPairOf(openingKey, curve);
      const suite = suiteOf(curve);
      const opened = await suite.Open(pair, bytes.slice(0, length), bytes.slice(length), infoOf(place));
      const key = findKey(new TextDecoder().decode(opened));
      if (key === undefined) throw new TypeError('not a key');
      return key;
    } catch (error) {
      throw new DecryptionError(error);
    }
  };
}

/**
 * Makes a function that checks the answers to the link with this token, and opens their keys: each has the receipt that follows
 * from what was sealed, and no key if it was not sealed for this link, was changed since, was there before, or is shown with
 * another receipt; null is none. Throws like `createOpener`.
 * @param {string} openingKey
 * @param {string} publicKeys
 * @param {string} token
 */
export async function createAnswerOpener(openingKey, publicKeys, token) {
  const open = await createOpener(openingKey, publicKeys);
  /** @type {Set<string>} */
  const seen = new Set();
  return async (
    /** @type {{ sealedKey: string, answerId: string, receipt: string | null }} */ {
      sealedKey,
      answerId,
      ...shown
    },
  ) => {
    const place = { token, answerId };
    const receipt = await receiptOf(sealedKey, place);
    const isReplay = seen.has(receipt);
    seen.add(receipt);
    const isOther = shown.receipt !== null && shown.receipt !== receipt;
    const key = isReplay || isOther ? undefined : await open(sealedKey, place).catch(() => undefined);
    return { receipt, key };
  };
}

/**
 * The receipt of an answer, which both sides compute from what was sealed: 75 bits in three groups.
 * @param {string} sealedKey
 * @param {SealingPlace} place
 */
export async function receiptOf(sealedKey, { token, answerId }) {
  const bytes = await sha256(`hushpush/2/receipt/${token}/${answerId}/${sealedKey}`);
  const characters = [...bytes.subarray(0, 15)].map((byte) => crockford.charAt(byte & 31));
  return characters.join('').replace(/.{5}(?=.)/g, '$&-');
}

/** @typedef {(typeof curves)[number]} Curve */

const suiteOf = (/** @type {Curve} */ { kem }) => new CipherSuite(kem, KDF_HKDF_SHA256, AEAD_AES_256_GCM);

const infoOf = (/** @type {SealingPlace} */ { token, answerId }) => ({
  info: new TextEncoder().encode(`hushpush/2/answer/${token}/${answerId}`),
});

/** @param {(curve: Curve) => boolean} condition */
function requiredCurve(condition) {
  const curve = curves.find(condition);
  if (curve === undefined) throw new SealingError('unsupported', undefined);
  return curve;
}

/** The key pair of an opening key on a curve, and its public key in base64url. @param {string} openingKey @param {Curve} curve */
async function keyPairOf(openingKey, curve) {
  const seed = await hkdf(keyBytes(openingKey), `hushpush/2/request/${curve.name}`);
  const suite = suiteOf(curve);
  const pair = await suite.DeriveKeyPair(seed);
  return { pair, text: toBase64Url(await suite.SerializePublicKey(pair.publicKey)) };
}

/** 32 bytes by HKDF-SHA-256 (RFC 5869), without a salt. @param {Uint8Array<ArrayBuffer>} bytes @param {string} info */
export async function hkdf(bytes, info) {
  const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits']);
  const text = new TextEncoder().encode(info);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: text };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, 256));
}

/** Undefined if the runtime does not know a curve. @param {unknown} error */
function unlessUnsupported(error) {
  if (error instanceof Error && error.name === 'NotSupportedError') return undefined;
  throw error;
}

/** @param {string} text */
const sha256 = async (text) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
