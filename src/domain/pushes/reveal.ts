import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { utf8Text } from '../../text.ts';
import type { Audit, OpenedBy } from '../audit/index.ts';
import type { FileList } from '../files/index.ts';
import { type Limits, type PasswordHasher, tooMany } from '../limits/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { Account, Caller, ClientInfo, TokenlessCaller } from '../people/index.ts';
import type { ClaimView } from './claim/claim.ts';
import type { PushToConfirm } from './claim/decide.ts';
import type { RevealNonce, SpentNonces } from './claim/nonces.ts';
import type { PushFinder } from './find.ts';
import { createPassphraseCheck } from './passphrase.ts';
import { isExpired, isOwner, type ListedPush, type Push, requireUrlTokenFormat } from './push.ts';
import type { RecipientCodes } from './recipientCodes.ts';
import type { LinkedRow } from './recipientLink.ts';
import type { PushRecipients } from './recipients.ts';
import { shownTo } from './shown.ts';

/**
 * The result of a retrieval: the push, and its payload unless it has expired, the client is a link previewer, or the caller
 * has not confirmed; with what its sender says of themselves.
 */
export type Revealed<Payload = string> = { push: Push; payload: Payload | null; sender?: string | null };

type RevealOptions = {
  nonce?: RevealNonce | undefined;
  openedBy?: OpenedBy | undefined;
  /** What the caller's browser got when it asked for a code. */
  browserSecret?: string | undefined;
  /**
   * Called while the push is locked, and before anything is counted. If it returns false, nothing is. Only a person can
   * confirm, so that whatever fetches with the name of a previewer is none.
   */
  isConfirmed?: (push: PushToConfirm) => boolean;
};

type Dependencies = {
  database: Database;
  passphrases: PasswordHasher;
  limits: Limits;
  audit: Audit;
  outbox: Outbox;
  finder: PushFinder;
  claimView: ClaimView;
  spentNonces: Pick<SpentNonces, 'maybeView' | 'ofKey'>;
  fileList: FileList;
  pushRecipients: Pick<PushRecipients, 'ofPush'>;
  recipientCodes: Pick<RecipientCodes, 'maybeProven'>;
};

const refusals = { reserved: 'reservedForRecipients', unproven: 'needsMailedCode' } as const;

/** Retrieves pushes, and reads them without using a view. */
export function createReveal(dependencies: Dependencies) {
  const { audit, finder, claimView, spentNonces, fileList, pushRecipients, recipientCodes } = dependencies;
  const passphraseCheck = createPassphraseCheck(dependencies);

  /**
   * Claims one view and returns the payload. At most `viewsMax` callers ever succeed, on any number of processes. An
   * expired push comes without its payload. Files come with the grant of this view; no view is used while they are
   * unavailable. Throws `not_found`; `unauthenticated` (field `passphrase`) if the passphrase is missing or wrong;
   * `too_many` after too many tries; `forbidden` through the push's own link while all views that are left belong to
   * recipients, and through a link that needs a code before that was entered in the caller's browser. A second time with the
   * same nonce, returns the same view for a minute, and then throws `conflict`.
   */
  const reveal = async (...request: Parameters<typeof revealBytes>): Promise<Revealed> =>
    asText(await revealBytes(...request));

  async function revealBytes(
    urlToken: string,
    passphrase: string | undefined,
    { account, client }: Caller,
    { nonce, openedBy = 'api', browserSecret, isConfirmed }: RevealOptions = {},
  ): Promise<Revealed<Buffer>> {
    requireUrlTokenFormat(urlToken);
    if (isConfirmed === undefined && client.isPreviewer()) {
      const row = await finder.requireRow(urlToken, client);
      if (row.retrievalStep && !isExpired(row)) {
        await audit.recordBounded(row.id, 'preview', client);
        return { push: finder.present(row, urlToken, account), payload: null };
      }
    }
    const provenRecipient = browserSecret ? await recipientCodes.maybeProven(browserSecret) : undefined;
    const passphraseHash = await passphraseCheck.maybeHash(urlToken, passphrase, client, provenRecipient);
    const caller = { client, openedBy, provenRecipient, isConfirmed };
    const claim = await claimView({ urlToken, passphraseHash, nonce, ...caller });
    switch (claim.outcome) {
      case 'gone':
        throw tooMany(1); // nobody reads it
      case 'unknown':
        return finder.refuseUnknown(client);
      case 'unconfirmed':
        return { push: finder.present(claim.row, urlToken, account), payload: null };
      case 'reserved':
      case 'unproven':
        throw new DomainError('forbidden', refusals[claim.outcome]);
      case 'locked':
        return passphraseCheck.refuse(claim.row.push, passphrase, client);
      case 'repeated': {
        const again = nonce && (await maybeViewAgain(claim.row, urlToken, nonce, account));
        if (again === undefined) throw new DomainError('conflict', 'viewAlreadyClaimed');
        return again;
      }
      case 'expired':
        await audit.recordBounded(claim.row.id, 'failed_view', client);
        return { push: finder.present(claim.row, urlToken, account), payload: null };
      case 'claimed':
        return {
          push: finder.present(claim.row, urlToken, account, claim),
          payload: claim.payload,
          sender: claim.sender,
        };
    }
  }

  /**
   * Like `reveal`, for a program, with the payload in UTF-8. With the key of an earlier request it returns that view again
   * for a minute. Throws `invalid` if that was for another url token or passphrase, and `conflict` after the minute.
   */
  async function retrieve(
    urlToken: string,
    passphrase: string | undefined,
    caller: Caller,
    idempotencyKey: string | undefined,
  ): Promise<Revealed<Buffer>> {
    if (idempotencyKey === undefined) return revealBytes(urlToken, passphrase, caller);
    const row = await finder.requireRow(urlToken, caller.client);
    if (isOver(row)) return revealBytes(urlToken, passphrase, caller);
    const nonce = spentNonces.ofKey(idempotencyKey, urlToken, passphrase);
    const again = await maybeViewAgain(row, urlToken, nonce, caller.account);
    return again ?? revealBytes(urlToken, passphrase, caller, { nonce });
  }

  /** The view that a nonce claimed within the last minute, unless the push was deleted or its time is over. */
  async function repeat(
    urlToken: string,
    nonce: RevealNonce,
    { client }: Caller,
  ): Promise<Revealed | undefined> {
    const again = await maybeViewAgain(await finder.requireRow(urlToken, client), urlToken, nonce, null);
    return again && asText(again);
  }

  async function maybeViewAgain(
    row: LinkedRow,
    urlToken: string,
    nonce: RevealNonce,
    account: Account | null,
  ): Promise<Revealed<Buffer> | undefined> {
    const copy = isOver(row) ? undefined : await spentNonces.maybeView(nonce, row.id);
    if (copy === undefined) return undefined;
    const { payload, files, sender, ...asThen } = copy;
    const push = finder.present({ ...row, expiredOn: null }, urlToken, account, { files });
    return { push: { ...push, ...asThen }, payload, sender };
  }

  /** Leaves no trace. */
  async function preview(urlToken: string, caller: TokenlessCaller): Promise<Push>;
  async function preview(urlToken: string, caller: Caller): Promise<ListedPush>;
  async function preview(urlToken: string, caller: Caller): Promise<ListedPush> {
    const row = await finder.requireRow(urlToken, caller.client);
    return shownTo(caller, finder.present(row, urlToken, caller.account));
  }

  /** Includes the files and the recipients. Throws `not_found` for everybody but the owner. */
  async function previewOwned(urlToken: string, { account, client }: TokenlessCaller): Promise<Push> {
    const row = await finder.requireRow(urlToken, client);
    if (!isOwner(account, row)) return finder.refuseUnknown(client);
    const { id, fileCount } = row;
    const [files, recipients] = await Promise.all([
      fileCount > 0 && !isExpired(row) ? fileList.ofPushes([{ id, urlToken }]) : undefined,
      pushRecipients.ofPush(id),
    ]);
    return finder.present(row, urlToken, account, {
      files: files?.get(id.toString('hex')),
      recipients,
    });
  }

  /** Records that a person or a bot loaded the retrieval step. */
  async function recordPreview({ id }: Push, client: ClientInfo): Promise<void> {
    await audit.recordBounded(Buffer.from(id, 'hex'), 'preview', client);
  }

  return { reveal, retrieve, repeat, preview, previewOwned, recordPreview };
}

const asText = ({ payload, ...rest }: Revealed<Buffer>): Revealed => ({
  payload: payload && utf8Text(payload),
  ...rest,
});

const isOver = ({ deleted, expiresAt, now }: LinkedRow) => deleted || expiresAt <= now;
