import { maybeOpenLabel, seal } from '../../../crypto/cipher.ts';
import type { Keyring } from '../../../crypto/keyring.ts';
import { DomainError } from '../../../errors.ts';

/** The key of a sealed answer, which only whoever asked can open, and the id that it was sealed for: that of its form. */
export type SealedKey = { answerId: string; key: string };

/** By the length of what HPKE adds, with X25519 and with P-256, to a key of docs/encryption.md, in base64url. */
const keyShape = /^(?:[\w-]{135}|[\w-]{179})$/;
const idShape = /^[\w-]{16,64}$/;
const field = 'request_answer_key';

/** Refuses a sealed answer that nobody could open. Throws `invalid`. */
export function requireSealed(publicKeys: string | null, sealed: SealedKey | null): void {
  if (sealed === null) return;
  const isOpenable = keyShape.test(sealed.key) && idShape.test(sealed.answerId);
  if (publicKeys !== null && isOpenable) return;
  const code = publicKeys === null ? 'notAccepted' : 'notEncrypted';
  throw new DomainError('invalid', { problems: { sealedKey: [{ code }] } });
}

/** Encrypts the key of an answer once more, as it is stored. Null for an answer that was not sealed. */
export const sealAnswerKey = (keyring: Keyring, id: Buffer, sealed: SealedKey | null): Buffer | null =>
  sealed && seal(keyring, JSON.stringify([sealed.answerId, sealed.key]), { id, field });

/** What `sealAnswerKey` has encrypted; null if it cannot be decrypted. */
export function openAnswerKey(keyring: Keyring, id: Buffer, record: Buffer | null): SealedKey | null {
  const json = record && maybeOpenLabel(keyring, record, { id, field });
  if (!json) return null;
  const [answerId, key] = JSON.parse(json) as [string, string];
  return { answerId, key };
}
