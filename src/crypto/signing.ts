import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring } from './keyring.ts';

/** What a signature is for; one never serves another purpose. */
type Purpose = 'reveal' | 'csrf';

export type Signing = ReturnType<typeof createSigning>;

/** Signatures on what a browser keeps for the service: HMAC-SHA256 under a key of their own, derived from the pepper. */
export function createSigning({ pepper }: Keyring) {
  const key = createHmac('sha256', pepper).update('signing').digest();

  /** Signs texts, each of which counts with its length, so that none can lend letters to its neighbour. */
  function sign(purpose: Purpose, ...texts: string[]): string {
    return createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...texts]))
      .digest('base64url');
  }

  function isSigned(signature: string, purpose: Purpose, ...texts: string[]): boolean {
    const [given, right] = [Buffer.from(signature), Buffer.from(sign(purpose, ...texts))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  return { sign, isSigned };
}
