import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenedBy } from '../../audit/index.ts';
import type { PushFile } from '../../files/index.ts';
import type { ClientInfo } from '../../people/index.ts';
import { isExpired } from '../push.ts';
import type { LinkedRow } from '../recipientLink.ts';
import { isLarge, type LockedLink, type NotLocked } from './lock.ts';
import type { RevealNonce } from './nonces.ts';

/** A request for a view. */
export type ViewRequest = {
  urlToken: string;
  urlTokenSha256: string;
  /** That of the url token, by which the link is stored. */
  digest: Buffer;
  /** The hash that the caller's passphrase was verified against, or null. */
  passphraseHash: string | null;
  client: ClientInfo;
  openedBy?: OpenedBy | undefined;
  /** The recipient whose code was entered in the caller's browser. */
  provenRecipient?: Buffer | undefined;
  nonce?: RevealNonce | undefined;
  /** Whether the caller still asks for the view, now that the push is known. By default it does. */
  isConfirmed?: ((push: PushToConfirm) => boolean) | undefined;
  /** Whether the store is known to have the files of the push. */
  filesChecked?: boolean;
  /** How long the payload is, if it is known to be much. */
  payloadBytes?: number;
};

/** What a caller is told of a push before it asks for a view. `now` is the database's clock. */
export type PushToConfirm = { now: number; hasPassphrase: boolean };

/** What is decided about a request. Only a view changes anything. */
export type Decision = View | Refusal | Undecided;

/** A view that is counted, and given once its transaction has committed. */
export type View = {
  outcome: 'claimed';
  request: ViewRequest;
  /** The push through the link, with this view. Within it, `push` and `recipient` are as they were read. */
  row: LinkedRow;
  /** The number of the view among all of the push. */
  viewNumber: number;
  /** With the grant of this view; `recordViews` puts them in. */
  files: PushFile[];
} & Opened;

/** What a push contains, as UTF-8, what its sender says of themselves, and its own url token. */
export type Opened = { urlToken: string; payload: Buffer; filesKey: Buffer | null; sender: string | null };

/**
 * Why there is no view. `gone`: the client has disconnected. `unconfirmed`: the caller has thought better. `reserved`: every view that is left belongs to a recipient.
 * `unproven`: the link opens only with a code.
 * `isStale`: the last view came earlier in the same transaction, so that the row was read before that end.
 */
export type Refusal =
  | { outcome: 'gone' | 'unknown' }
  | { outcome: 'unconfirmed' | 'unproven' | 'repeated' | 'reserved' | 'locked'; row: LinkedRow }
  | { outcome: 'expired'; row: LinkedRow; isStale: boolean };

/** Why it must be tried again. `files unchecked`: the store may not have the files of the push. */
type Undecided =
  | Exclude<NotLocked, { outcome: 'unknown' }>
  | { outcome: 'files unchecked'; pushId: Buffer }
  | { outcome: 'failed'; error: unknown };

/** A request, and what it asks for. */
type Locked = { request: ViewRequest; link: LockedLink | NotLocked };
/** What is decided about requests, in their order, and the views among it. */
type Decided = { decisions: Decision[]; views: View[] };
/** Decrypts a push, for whoever has the link of this url token. */
type Open = (link: LockedLink, requestedToken: string) => Opened;

/** Whether the client of a view has disconnected. */
export const isGone = ({ client }: ViewRequest): boolean => client.isGone?.() === true;

/**
 * Decides requests one after the other. `spent` are the nonces of earlier transactions, by their digests in hex, as far as
 * they are known. Changes nothing.
 */
export async function decideInOrder(locked: Locked[], spent: Set<string>, open: Open): Promise<Decided> {
  const decided: Decided = { decisions: [], views: [] };
  for (const { request, link } of locked) {
    const decision = decide(request, link, { views: decided.views, spent }, open);
    decided.decisions.push(decision);
    if (isView(decision)) decided.views.push(decision);
    if ('row' in link && isLarge(link.payloadBytes)) await nextTurn();
  }
  return decided;
}

const isView = (decision: Decision) => decision.outcome === 'claimed';

/** Whether a request with a nonce was refused for another reason than that it has claimed before, which would come first. */
export const mayBeRepeated = ({ decisions }: Decided, locked: Locked[]): boolean =>
  locked.some(({ request: { nonce }, link }, index) => {
    const { [index]: decision } = decisions;
    return nonce !== undefined && 'row' in link && decision !== undefined && !isView(decision);
  });

/** Decides a request, after those before it in the same transaction, which get `views`. */
function decide(
  request: ViewRequest,
  link: LockedLink | NotLocked,
  { views, spent }: { views: View[]; spent: Set<string> },
  open: Open,
): Decision {
  if (isGone(request)) return { outcome: 'gone' };
  if ('outcome' in link) return link;
  const { row } = link;
  const { nonce } = request;
  if (!isExpired(row) && !isConfirmed(request, row)) return { outcome: 'unconfirmed', row };
  if (nonce && (spent.has(nonce.digest.toString('hex')) || views.some(hasNonce(nonce))))
    return { outcome: 'repeated', row };
  const before = countBefore(views, request, row);
  if (isExpired(row)) return { outcome: 'expired', row, isStale: false };
  if (isUsedUp(row, before)) return { outcome: 'expired', row, isStale: true };
  const barred = maybeBarred(row, request, before);
  if (barred !== undefined) return { outcome: barred, row };
  if (row.fileCount > 0 && !request.filesChecked) return { outcome: 'files unchecked', pushId: row.id };
  try {
    const opened = open(link, request.urlToken);
    const viewed = { ...row };
    viewed.viewsUsed += before.ofLink + 1;
    viewed.updatedAt = row.now;
    const viewNumber = row.push.viewsUsed + before.ofPush + 1;
    return { outcome: 'claimed', request, row: viewed, viewNumber, files: [], ...opened };
  } catch (error) {
    return { outcome: 'failed', error };
  }
}

const isConfirmed = ({ isConfirmed: asked }: ViewRequest, { now, passphraseHash }: LinkedRow): boolean =>
  asked === undefined || asked({ now, hasPassphrase: passphraseHash !== null });

/** Why a caller may not open a push that has views left. */
function maybeBarred(row: LinkedRow, { provenRecipient, passphraseHash }: ViewRequest, before: Before) {
  if (row.recipient === null && isReserved(row, before)) return 'reserved';
  if (isUnproven(row, provenRecipient)) return 'unproven';
  return row.passphraseHash === passphraseHash ? undefined : 'locked';
}

/** Whether a link needs a code that was not entered. */
export const isUnproven = ({ recipient }: LinkedRow, provenRecipient: Buffer | undefined): boolean =>
  recipient?.needsCode === true && provenRecipient?.equals(recipient.recipientId) !== true;

const hasNonce = (nonce: RevealNonce) => (view: View) => view.request.nonce?.digest.equals(nonce.digest);

type Before = ReturnType<typeof countBefore>;

/** How many views the requests before get: of the same push, of these for recipients, and by the same link. */
function countBefore(views: View[], { digest }: ViewRequest, { id, recipient }: LinkedRow) {
  const same = views.filter(({ row }) => row.id.equals(id));
  const ofPush = same.length;
  const ofRecipients = same.filter(({ row }) => row.recipient !== null).length;
  // every view counts for the push's own link, those of recipients too
  const ofLink =
    recipient === null ? ofPush : same.filter(({ request }) => request.digest.equals(digest)).length;
  return { ofPush, ofRecipients, ofLink };
}

/** Whether the push or its link has no view left. A link with an end of its own is bound to a recipient, and works once. */
function isUsedUp(row: LinkedRow, { ofPush, ofLink }: Before): boolean {
  const { push, recipient } = row;
  const isBound = recipient !== null && recipient.linkExpiresAt !== null;
  const linkViewsMax = isBound ? Math.min(row.viewsUsed + 1, row.viewsMax) : row.viewsMax;
  return push.viewsUsed + ofPush >= push.viewsMax || row.viewsUsed + ofLink >= linkViewsMax;
}

/** Whether all views that are left belong to recipients, who use what was reserved for them. */
function isReserved({ push }: LinkedRow, { ofPush, ofRecipients }: Before): boolean {
  return push.viewsUsed + ofPush + push.viewsReserved - ofRecipients >= push.viewsMax;
}
