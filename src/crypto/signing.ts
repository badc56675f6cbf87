import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from './keyring.ts';

/** A signature for one purpose is not valid for another. */
type SignaturePurpose = 'reveal' | 'csrf' | 'browser' | 'status' | 'chat' | 'passkey' | 'unsubscribe';

export type Signing = ReturnType<typeof createSigning>;

/** Signs values that browsers and chats hold for the service: HMAC-SHA256 under a key derived from the pepper. */
export function createSigning({ pepper }: Keyring) {
  const key = createHmac('sha256', pepper).update('signing').digest();

  /** Signs texts as JSON, so that no characters can move from one text to the next. */
  function sign(purpose: SignaturePurpose, ...texts: string[]): string {
    return createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...texts]))
      .digest('base64url');
  }

  function isSigned(signature: string, purpose: SignaturePurpose, ...texts: string[]): boolean {
    const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(purpose, ...texts))];
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }

  return { sign, isSigned };
}
