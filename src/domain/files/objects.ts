import { createHmac } from 'node:crypto';
import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';

/** The prefix of names in the store. Services that share a store by mistake do not touch each other's files. */
export function objectPrefix({ pepper }: Keyring): string {
  return createHmac('sha256', pepper).update('file store\0').digest('hex').slice(0, 8);
}

/** A name in the store that reveals nothing. */
export function newObjectName(keyring: Keyring): string {
  return objectPrefix(keyring) + randomBytes(16).toString('hex');
}
