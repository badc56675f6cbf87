import { createHmac } from 'node:crypto';
import { comparableText } from '../text.ts';
import type { Keyring } from './keyring.ts';
import { urlTokenSha256 } from './tokens.ts';

/**
 * What the database stores of a url token: the HMAC-SHA256 of its SHA-256 under the pepper, which does not change when
 * keys are rotated.
 */
export const urlTokenDigest = (keyring: Keyring, token: string): Buffer =>
  sha256Digest(keyring, urlTokenSha256(token));

/** The same from the SHA-256 alone, in hexadecimal, which finds a push and opens nothing. */
export function sha256Digest(keyring: Keyring, sha256: string): Buffer {
  return createHmac('sha256', keyring.pepper).update(`url token\0${sha256}`).digest();
}

/** What the database stores of the idempotency key of a caller: its HMAC-SHA256 under the pepper. */
export function idempotencyDigest(keyring: Keyring, caller: string, key: string): Buffer {
  return createHmac('sha256', keyring.pepper).update(`idempotency key\0${caller}\0`).update(key).digest();
}

/** What the database stores of an account's recovery code: its HMAC-SHA256 under the pepper. */
export function recoveryCodeDigest(keyring: Keyring, accountId: Buffer, code: string): Buffer {
  return createHmac('sha256', keyring.pepper)
    .update('recovery code\0')
    .update(accountId)
    .update(code)
    .digest();
}

/** The six digits of a code whose random id the database has. They are its HMAC-SHA256 under the pepper, and stored nowhere. */
export function mailedCode(keyring: Keyring, id: Buffer): string {
  const digest = createHmac('sha256', keyring.pepper).update('mailed code\0').update(id).digest();
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** The longest password or passphrase, in bytes of UTF-8. */
export const passwordBytesMax = 1_024;

/**
 * bcrypt silently ignores bytes after the 72nd. A keyed hash makes every byte count, and makes a stolen hash useless
 * on its own. Undefined for a text that is too long to be a password.
 */
export function pepperedPassword(keyring: Keyring, password: string): string | undefined {
  const text = comparableText(password, passwordBytesMax);
  if (text === undefined) return undefined;
  return createHmac('sha384', keyring.pepper).update(text).digest('base64');
}
