import type { Passwords } from '../../crypto/passwords.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { Limits } from '../limits/limits.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { Claim, ClaimView } from './claim.ts';
import { type PushFinder, requireUrlTokenFormat } from './find.ts';
import { createPassphraseCheck, wrongPassphrase } from './passphrase.ts';
import { isExpired, type Push } from './push.ts';

/** What a retrieval gives: the push, and its payload unless it has expired or a link previewer asked. */
export type Revealed = { push: Push; payload: string | null };

type Dependencies = {
  database: Database;
  passwords: Passwords;
  limits: Limits;
  audit: Audit;
  outbox: Outbox;
  finder: PushFinder;
  claimView: ClaimView;
};

/** The retrieval of pushes. */
export function createReveal(dependencies: Dependencies) {
  const { audit, finder, claimView } = dependencies;
  const passphrases = createPassphraseCheck(dependencies);

  /**
   * Claims one view and gives the payload; at most `viewsMax` callers ever succeed, on any number of processes.
   * An expired push comes without its payload. Files come with the grant of this view, and no view is spent while they
   * cannot be had. Refuses with `not_found`, with `unauthenticated` (field `passphrase`) while the passphrase is missing or
   * wrong, and with `too_many` after too many tries. With `nonceDigest`, the SHA-256 of a nonce, it refuses with `conflict`
   * what would be a second view under the same nonce within its ten minutes.
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
      passphrase === undefined ? null : await passphrases.requireHash(urlToken, passphrase, client);
    const claim = await claimView({ urlToken, passphraseHash, client, nonceDigest });
    return toRevealed(claim, urlToken, { account, client });
  }

  async function toRevealed(claim: Claim, urlToken: string, { account, client }: Caller): Promise<Revealed> {
    switch (claim.outcome) {
      case 'unknown':
        return finder.refuseUnknown(client);
      case 'repeated':
        throw new DomainError('conflict', 'viewAlreadyGiven');
      case 'locked':
        await passphrases.recordWrong(claim.row, client);
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
