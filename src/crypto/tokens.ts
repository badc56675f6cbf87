import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBytes } from './random.ts';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const apiTokenPrefix = 'hp_';
const urlTokenShape = /^[0-9a-hjkmnp-tv-z]{26}$/;
const apiTokenShape = /^hp_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** A new url token: 26 characters of lower-case Crockford base32, 130 random bits. */
export function newUrlToken(): string {
  const bytes = randomBytes(26);
  for (const [at, byte] of bytes.entries()) bytes[at] = crockford.charCodeAt(byte & 31);
  return bytes.toString('latin1');
}

/** A new recovery code, to be typed: 50 random bits in two groups. Letters and digits that look alike are not among its characters. */
export function newRecoveryCode(): string {
  const characters = [...randomBytes(10)].map((byte) => crockford.charAt(byte & 31)).join('');
  return `${characters.slice(0, 5)}-${characters.slice(5)}`;
}

/** A new receipt, which two people compare: as a recovery code. */
export const newReceipt = (): string => newRecoveryCode();

/** What a request link promises of its keys, after `#`: see docs/encryption.md. */
export function sealedFragment(publicKeys: string): string {
  const digest = hash('sha256', `hushpush/2/request/${publicKeys}`, 'hex');
  return `sealed-1${BigInt(`0x${digest}`).toString(32).padStart(52, '0')}`;
}

/** The receipt of a sealed answer, which both of its sides compute, too: see docs/encryption.md. */
export function sealedReceipt(
  urlToken: string,
  { answerId, key }: { answerId: string; key: string },
): string {
  const bytes = hash('sha256', `hushpush/2/receipt/${urlToken}/${answerId}/${key}`, 'buffer');
  const characters = [...bytes.subarray(0, 15)].map((byte) => crockford.charAt(byte & 31)).join('');
  return characters.replace(/.{5}(?=.)/g, '$&-');
}

export function isUrlToken(text: string): boolean {
  return urlTokenShape.test(text);
}

let lastHashed: { urlToken: string; sha256: string } | undefined;

/** The SHA-256 of a url token, in hexadecimal: it names a push, and opens nothing. A request asks for the same several times. */
export function urlTokenSha256(urlToken: string): string {
  if (lastHashed?.urlToken !== urlToken) lastHashed = { urlToken, sha256: hash('sha256', urlToken, 'hex') };
  return lastHashed.sha256;
}

export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Replaces everything that could be a url token with an ellipsis. */
export function redactUrlTokens(text: string): string {
  return text.replace(/[0-9a-hjkmnp-tv-z]{26}/gi, '…');
}

/** A new API token: a prefix that secret scanners can find, 32 random base62 characters, and their CRC-32 in base62. */
export function newApiToken(): string {
  let random = '';
  for (let i = 0; i < 32; i++) random += base62.charAt(randomInt(62));
  return apiTokenPrefix + random + checksum(random);
}

/** Whether text can be an API token. Rejects mistyped tokens without a query. */
export function isApiToken(text: string): boolean {
  const [, random, check] = apiTokenShape.exec(text) ?? [];
  return random !== undefined && check === checksum(random);
}

/** A new secret for a link or a cookie: 256 random bits in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Letters that spell nothing, and look like no digit (RFC 8628, section 6.1). */
const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ';

/** A new code for people to type: eight letters, 34 bits. */
export const newUserCode = (): string =>
  Array.from({ length: 8 }, () => userCodeLetters.charAt(randomInt(userCodeLetters.length))).join('');

/** What the database stores of a token that has enough entropy: its SHA-256. */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Whether two tokens are the same, in a time that says nothing about where they differ. */
export function isSameToken(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  for (let i = 0; i < 6; i++) {
    encoded = base62.charAt(rest % 62) + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}
