import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { unavailable } from '../errors.ts';
import { pepperedPassword } from './cipher.ts';
import type { Keyring } from './keyring.ts';

const inFlightMax = 4;
const queuedMax = 32;

/** bcrypt cost factors: the cost of a guess against a stolen database and its pepper. */
export const costs = { account: 12, passphrase: 10 } as const;

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * bcrypt over a peppered hash of the input, NFC-normalized. Each process runs at most 4 at once and queues 32; beyond
 * that it throws `unavailable`.
 */
export function createPasswords(keyring: Keyring) {
  const limit = pLimit(inFlightMax);

  function run<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= queuedMax) throw unavailable('tooManyPasswordChecks', undefined, 2);
    return limit(work);
  }

  return {
    hash: async (password: string, cost: number): Promise<string> =>
      run(() => bcrypt.hash(pepperedPassword(keyring, password), cost)),
    verify: async (password: string, hash: string): Promise<boolean> =>
      run(() => bcrypt.compare(pepperedPassword(keyring, password), hash)),
  };
}
