import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { Limits } from '../limits/limits.ts';
import type { PasswordHasher } from '../limits/passwordHashers.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { Claim, ClaimView } from './claim.ts';
import { type PushFinder, requireUrlTokenFormat } from './find.ts';
import { createPassphraseCheck, wrongPassphrase } from './passphrase.ts';
import { isExpired, type Push } from './push.ts';

/** The result of a retrieval: the push, and its payload unless it has expired or the client is a link previewer. */
export type Revealed = { push: Push; payload: string | null };

type Dependencies = {
  database: Database;
  passphrases: PasswordHasher;
  limits: Limits;
  audit: Audit;
  outbox: Outbox;
  finder: PushFinder;
  claimView: ClaimView;
};

/** Retrieves pushes. */
export function createReveal(dependencies: Dependencies) {
  const { audit, finder, claimView } = dependencies;
  const passphraseCheck = createPassphraseCheck(dependencies);

  /**
   * Claims one view and returns the payload. At most `viewsMax` callers ever succeed, on any number of processes. An
   * expired push comes without its payload. Files come with the grant of this view; no view is used while they are
   * unavailable. Throws `not_found`; `unauthenticated` (field `passphrase`) if the passphrase is missing or wrong;
   * `too_many` after too many tries; and `conflict` for a second view with the same nonce within ten minutes.
   * `nonceDigest` is the SHA-256 of the nonce.
   */
  async function reveal(
    urlToken: string,
    passphrase: string | undefined,
    { account, client }: Caller,
    { nonceDigest }: { nonceDigest?: Buffer } = {},
  ): Promise<Revealed> {
    requireUrlTokenFormat(urlToken);
    if (client.isPreviewer) {
      const row = await finder.requireRow(urlToken, client);
      if (row.retrievalStep && !isExpired(row)) {
        await audit.recordBounded(row.id, 'preview', client);
        return { push: finder.present(row, urlToken, account), payload: null };
      }
    }
    const passphraseHash =
      passphrase === undefined ? null : await passphraseCheck.requireHash(urlToken, passphrase, client);
    const claim = await claimView({ urlToken, passphraseHash, client, nonceDigest });
    return toRevealed(claim, urlToken, { account, client });
  }

  async function toRevealed(claim: Claim, urlToken: string, { account, client }: Caller): Promise<Revealed> {
    switch (claim.outcome) {
      case 'unknown':
        return finder.refuseUnknown(client);
      case 'repeated':
        throw new DomainError('conflict', 'viewAlreadyClaimed');
      case 'locked':
        await passphraseCheck.recordWrong(claim.row, client);
        throw wrongPassphrase();
      case 'expired':
        await audit.recordBounded(claim.row.id, 'failed_view', client);
        return { push: finder.present(claim.row, urlToken, account), payload: null };
      case 'claimed':
        return { push: finder.present(claim.row, urlToken, account, claim.files), payload: claim.payload };
    }
  }

  return reveal;
}
