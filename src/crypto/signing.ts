import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from './keyring.ts';

/** What a signature is for; one never serves another purpose. */
type SignaturePurpose = 'reveal' | 'csrf';

export type Signing = ReturnType<typeof createSigning>;

/** Signatures on what a browser keeps for the service: HMAC-SHA256 under a key of their own, derived from the pepper. */
export function createSigning({ pepper }: Keyring) {
  const key = createHmac('sha256', pepper).update('signing').digest();

  /** Signs texts, each of which counts with its length, so that none can lend letters to its neighbour. */
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
