import { randomBytes } from 'node:crypto';

/** A new random secret in hexadecimal. */
export function newSecret(bytes = 16): string {
  return randomBytes(bytes).toString('hex');
}

/** A bot's token: its id, a time and a signature, in base64 without padding. */
export function newToken(id: string): string {
  return `${Buffer.from(id).toString('base64url')}.${randomBytes(4).toString('base64url')}.${randomBytes(28).toString('base64url')}`;
}

/** Authorizes responses to an interaction. Safe in URLs. */
export const newInteractionToken = () => randomBytes(120).toString('base64url');
