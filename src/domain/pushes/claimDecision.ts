import type { OpenedBy } from '../audit/auditRow.ts';
import type { ClientInfo } from '../client.ts';
import type { PushFile } from '../files/fileList.ts';
import type { LockedLink } from './lockPushes.ts';
import { isExpired } from './push.ts';
import type { LinkedRow } from './recipientLink.ts';
import { hasViewLeft, isReserved } from './remainingViews.ts';
import type { RevealNonce } from './spentNonces.ts';
import type { View } from './view.ts';

/**
 * The result of a claim: a payload, or why there is none. Only `claimed` changed anything. `reserved` means that every
 * view that is left belongs to a recipient.
 */
export type Claim =
  | { outcome: 'claimed'; row: LinkedRow; payload: string; files: PushFile[] }
  | { outcome: 'unknown' }
  | { outcome: 'repeated'; row: LinkedRow }
  | { outcome: 'expired'; row: LinkedRow }
  | { outcome: 'reserved'; row: LinkedRow }
  | { outcome: 'locked'; row: LinkedRow };

/** Nothing was decided: the payload cannot be decrypted, or the store may not have the files of the push. */
export type Undecided =
  | { outcome: 'failed'; error: unknown }
  | { outcome: 'files unchecked'; pushId: Buffer };

/** `passphraseHash` is the hash that the caller's passphrase was verified against, or null. */
export type ViewRequest = {
  urlToken: string;
  passphraseHash: string | null;
  client: ClientInfo;
  openedBy?: OpenedBy | undefined;
  nonce?: RevealNonce | undefined;
};

/** A request for a view, by the digest of its url token. */
export type Attempt = ViewRequest & { digest: Buffer; filesChecked: boolean };

/** What becomes of a request, before it is written. */
export type Decision = Exclude<Claim, { outcome: 'claimed' }> | Undecided | View;

/** Tells pushes and nonces apart in maps. */
export const keyOf = ({ digest }: { digest: Buffer }): string => digest.toString('hex');

/** Why a request gets no view, after those before it in the same transaction; undefined if it gets one. */
export function refusalOf(
  { passphraseHash, nonce, filesChecked }: Attempt,
  link: LockedLink,
  spent: Set<string>,
): Exclude<Decision, View> | undefined {
  const { row } = link;
  if (nonce && spent.has(keyOf(nonce))) return { outcome: 'repeated', row };
  if (isExpired(row) || !hasViewLeft(link)) return { outcome: 'expired', row };
  if (row.recipient === null && isReserved(link)) return { outcome: 'reserved', row };
  if (row.passphraseHash !== passphraseHash) return { outcome: 'locked', row };
  if (row.fileCount > 0 && !filesChecked) return { outcome: 'files unchecked', pushId: row.id };
  return undefined;
}

/** Whether a decision counts a view. */
export const isView = (decision: Decision | undefined) => decision?.outcome === 'counted';

/** Whether the last view of the push came earlier in the same transaction, so that the row was read before its end. */
export const isLate = (decision: Decision | undefined) =>
  decision?.outcome === 'expired' && !isExpired(decision.row);

/** A counted view as a claim, to be given once the transaction is committed. */
export function toClaim(view: View, files: PushFile[] = []): Claim {
  const { push, link, viewsUsed, recipientViewsUsed, payload } = view;
  const used = link.recipient === null ? viewsUsed : recipientViewsUsed;
  return {
    outcome: 'claimed',
    row: { ...link, viewsUsed: used, updatedAt: push.now },
    payload,
    files,
  };
}
