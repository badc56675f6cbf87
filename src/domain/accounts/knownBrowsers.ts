import { randomBytes } from '../../crypto/random.ts';
import type { Signing } from '../../crypto/signing.ts';
import { normalizeEmail } from './accountSchema.ts';

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;

/**
 * Browsers that have signed in to an account before. Their tries to sign in count apart, so that strangers who guess
 * cannot keep the owner out. The proof is a signed random id that the browser keeps; it signs nobody in.
 */
export function createKnownBrowsers(signing: Signing) {
  /** Returns a browser's proof for an account. A browser that has one keeps it, and with it its count of failures. */
  function prove(email: string, current?: string): string {
    if (current !== undefined && maybeId(email, current) !== undefined) return current;
    const id = randomBytes(16).toString('base64url');
    return `${id}.${signing.sign('browser', normalizeEmail(email), id)}`;
  }

  /** Returns the id of a browser that has signed in to the account before; undefined for all others. */
  function maybeId(email: string, proof = ''): string | undefined {
    const [id = '', signature = ''] = proof.split('.');
    return signing.isSigned(signature, 'browser', normalizeEmail(email), id) ? id : undefined;
  }

  return { prove, maybeId };
}
