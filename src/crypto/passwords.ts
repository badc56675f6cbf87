import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { unavailable } from '../errors.ts';
import { pepperedPassword } from './cipher.ts';
import type { Keyring } from './keyring.ts';

const inFlightMax = 4;
const queuedMax = 32;

/** bcrypt cost factors: what a guess costs against a stolen database and its pepper. */
export const costs = { account: 12, passphrase: 10 } as const;

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * bcrypt over a peppered hash of the input, NFC-normalized. In each process at most 4 run at once and 32 wait; one more
 * is refused with `unavailable`.
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
