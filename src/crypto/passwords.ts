import bcrypt from 'bcrypt';
import { pepperedPassword } from './cipher.ts';
import type { Keyring } from './keyring.ts';

export type Passwords = ReturnType<typeof createPasswords>;

/** bcrypt over a peppered hash of the input, NFC-normalized. Each call occupies one thread of libuv's pool. */
export function createPasswords(keyring: Keyring) {
  return {
    hash: async (password: string, cost: number): Promise<string> =>
      bcrypt.hash(pepperedPassword(keyring, password), cost),
    verify: async (password: string, hash: string): Promise<boolean> =>
      bcrypt.compare(pepperedPassword(keyring, password), hash),
  };
}
