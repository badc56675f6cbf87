import { newSealer, type Sealer } from '../../../crypto/cipher.ts';
import type { Keyring } from '../../../crypto/keyring.ts';
import { sha256Digest } from '../../../crypto/pepper.ts';
import { newUrlToken, urlTokenSha256 } from '../../../crypto/tokens.ts';

/** The url token of a new push, and all that is derived from it. */
export type NewLink = { urlToken: string; sha256: string; digest: Buffer; payloadSealer: Sealer };

/**
 * Makes the links of new pushes, each while the database works on the push before: otherwise, a creation that comes alone
 * takes a fifteenth longer.
 */
export function createNewLinks(keyring: Keyring) {
  let prepared: NewLink | undefined;

  /** The link with a url token. */
  function linkOf(urlToken: string): NewLink {
    const sha256 = urlTokenSha256(urlToken);
    return {
      urlToken,
      sha256,
      digest: sha256Digest(keyring, sha256),
      payloadSealer: newSealer(keyring, { field: 'payload', secret: urlToken }),
    };
  }

  /** A new link: the prepared one, unless the master key has changed since. */
  function take(): NewLink {
    const link = prepared;
    prepared = undefined;
    const isCurrent = link?.payloadSealer.masterKeyId === keyring.active.id;
    return isCurrent ? link : linkOf(newUrlToken());
  }

  /** Makes the next link ahead of its push. */
  function prepare(): void {
    prepared ??= linkOf(newUrlToken());
  }

  return { linkOf, take, prepare };
}
