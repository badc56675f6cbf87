import { openLabel } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { PushRow } from './push.ts';

/** Decrypts the url token of an account's push, from its row. Throws like `openLabel`. */
export function openUrlToken(
  keyring: Keyring,
  { id, tokenSealed }: Pick<PushRow, 'id' | 'tokenSealed'>,
): string {
  if (tokenSealed === null) throw new Error('an owned push has no stored url token');
  return openLabel(keyring, tokenSealed, { id, field: 'url_token' });
}
