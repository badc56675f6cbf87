import { createHmac } from 'node:crypto';
import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';

/** What names in the store begin with: services that share one by mistake then leave the files of the others alone. */
export function objectPrefix({ pepper }: Keyring): string {
  return createHmac('sha256', pepper).update('file store\0').digest('hex').slice(0, 8);
}

/** A name in the store that tells nothing. */
export function newObjectName(keyring: Keyring): string {
  return objectPrefix(keyring) + randomBytes(16).toString('hex');
}
