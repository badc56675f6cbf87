import bcrypt from 'bcrypt';
import type { Keyring } from './keyring.ts';
import { passwordBytesMax, pepperedPassword } from './pepper.ts';

export type Passwords = ReturnType<typeof createPasswords>;

/** bcrypt over a peppered hash of the input, NFC-normalized. Each call occupies one thread of libuv's pool. */
export function createPasswords(keyring: Keyring) {
  return {
    async hash(password: string, cost: number): Promise<string> {
      const peppered = pepperedPassword(keyring, password);
      if (peppered === undefined) throw new RangeError(`a password has more than ${passwordBytesMax} bytes`);
      return bcrypt.hash(peppered, cost);
    },
    /** False for a text that is too long to be a password. */
    async verify(password: string, hash: string): Promise<boolean> {
      const peppered = pepperedPassword(keyring, password);
      return peppered !== undefined && bcrypt.compare(peppered, hash);
    },
  };
}
