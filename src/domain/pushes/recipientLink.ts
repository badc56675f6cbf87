import { mailMessenger } from '../mail/index.ts';
import type { PushRow, RecipientPlatform } from './tables.ts';

/** A recipient's link as stored. Times are epoch milliseconds. */
type RecipientLink = {
  recipientId: Buffer;
  /** Who the recipient is in a chat, or where mails reach them; null for those known only by a label. */
  linkPlatform: RecipientPlatform | null;
  linkAddress: string | null;
  linkViewsMax: number;
  linkViewsUsed: number;
  /** When it was last used for a view. */
  lastOpenedAt: number | null;
  /** When it ends before its push does; null for a link that is not bound. */
  linkExpiresAt: number | null;
  /** Whether it opens only in a browser where a code was entered that went to the recipient's e-mail address. */
  needsCode: boolean;
};

/** The columns of a RecipientLink. */
export const linkColumns = `r.id AS recipientId, r.platform AS linkPlatform, r.address AS linkAddress,
  r.views_max AS linkViewsMax, r.views_used AS linkViewsUsed, r.last_opened_at AS lastOpenedAt, r.token_expires_at AS linkExpiresAt,
  r.needs_code AS needsCode`;

/** A push as it appears through one of its links. `push` is the push itself, `recipient` whose link it is, if anybody's. */
export type LinkedRow = PushRow & {
  push: PushRow;
  recipient: RecipientLink | null;
  /** Of the url token of the link. */
  urlTokenSha256: string;
};

/** A push as it was found by its own link, or by that of a recipient. */
export type FoundRow = PushRow & (RecipientLink | { recipientId?: undefined });

/**
 * A push through the link that it was found by. A recipient's link shows the views of that recipient alone. Whoever has
 * it is never the owner, and may end the push only where it has no views but theirs.
 */
export function toLinkedRow(found: FoundRow, urlTokenSha256: string): LinkedRow {
  // in this order, V8 need not extend a copy of the row, which takes it five times as long
  if (found.recipientId === undefined) return { push: found, recipient: null, urlTokenSha256, ...found };
  const { push, recipient } = separate(found);
  const endedOn = linkExpiredOn(recipient, push.now);
  return {
    ...push,
    accountId: null,
    deletableByViewer:
      push.deletableByViewer &&
      endedOn === null &&
      push.viewsMax === recipient.linkViewsMax &&
      !recipient.needsCode,
    // scanners on the way of a mail follow its links
    retrievalStep: push.retrievalStep || recipient.linkPlatform === mailMessenger,
    viewsMax: recipient.linkViewsMax,
    viewsUsed: recipient.linkViewsUsed,
    viewsReserved: 0,
    expiredOn: endedOn ?? push.expiredOn,
    push,
    recipient,
    urlTokenSha256,
  };
}

/** Separates the columns of a push from those of a link. */
function separate({
  recipientId,
  linkPlatform,
  linkAddress,
  linkViewsMax,
  linkViewsUsed,
  lastOpenedAt,
  linkExpiresAt,
  needsCode,
  ...push
}: PushRow & RecipientLink): { push: PushRow; recipient: RecipientLink } {
  const chatUser = { linkPlatform, linkAddress };
  return {
    push,
    recipient: {
      recipientId,
      ...chatUser,
      linkViewsMax,
      linkViewsUsed,
      lastOpenedAt,
      linkExpiresAt,
      needsCode: Boolean(needsCode), // it was read as a number
    },
  };
}

/** When a recipient's link ended while its push lived on; null while it has not. */
function linkExpiredOn(
  { linkViewsMax, linkViewsUsed, lastOpenedAt, linkExpiresAt }: RecipientLink,
  now: number,
): number | null {
  if (linkViewsUsed >= linkViewsMax) return lastOpenedAt;
  return linkExpiresAt !== null && linkExpiresAt <= now ? linkExpiresAt : null;
}
