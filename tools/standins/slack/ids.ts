import { randomBytes, randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A new id in Slack's format: a letter for the kind, then ten capitals and digits. */
export function newId(kind: string): string {
  return kind + Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** A new random secret in hexadecimal. */
export function newSecret(bytes = 16): string {
  return randomBytes(bytes).toString('hex');
}

const digits = () => String(randomInt(10 ** 11, 10 ** 12));

export const newTriggerId = () => `${digits()}.${digits()}.${newSecret()}`;
export const newToken = (prefix: string) => `${prefix}-${digits()}-${digits()}-${newSecret(12)}`;
