/** What somebody may be told of, of a push or of a request for one. */
export type NoticeEvent = PushEvent | RequestEvent;

/** `shared` tells whom a push is meant for of it; `composed` tells who made one outside of the chat that they began in. */
export type PushEvent = OwnerEvent | 'shared' | 'composed';

export type RequestEvent = 'requested' | 'declined' | 'cancelled';

/** What can happen to a push that its owner may choose to hear of. */
export type OwnerEvent =
  | 'viewed'
  | 'expired_by_views'
  | 'expired_by_time'
  /** By its owner; by anybody else who has the link it is `deleted`. */
  | 'burned'
  | 'deleted'
  | 'failed_passphrase'
  | 'locked'
  | 'about_to_expire'
  /** By somebody who came after its end, and wants a new one. */
  | 'asked_again';

/**
 * What the owner of a push wants to hear of: which views, its end, wrong passphrases, that it is about to expire unread.
 * With `askedAgain`, who comes after its end may ask for a new one.
 */
export type NoticePreferences = {
  viewed: 'first' | 'every' | 'none';
  expired: boolean;
  failedPassphrase: boolean;
  reminder: boolean;
  askedAgain: boolean;
};

export const viewedOptions = ['first', 'every', 'none'] as const;

/** What accounts that chats made begin with. */
export const allNotices: NoticePreferences = {
  viewed: 'every',
  expired: true,
  failedPassphrase: true,
  reminder: true,
  askedAgain: true,
};

/** What all other accounts begin with: links that are over look like links that never were. */
export const defaultNotices: NoticePreferences = { ...allNotices, askedAgain: false };

const bits = {
  firstView: 1,
  everyView: 2,
  expired: 4,
  failedPassphrase: 8,
  reminder: 16,
  askedAgain: 32,
} as const;

/** A choice as the one small number that the database keeps. */
export function encodePreferences(preferences: NoticePreferences): number {
  const { viewed, expired, failedPassphrase, reminder, askedAgain } = preferences;
  return (
    (viewed === 'first' ? bits.firstView : viewed === 'every' ? bits.everyView : 0) |
    (expired ? bits.expired : 0) |
    (failedPassphrase ? bits.failedPassphrase : 0) |
    (reminder ? bits.reminder : 0) |
    (askedAgain ? bits.askedAgain : 0)
  );
}

export function decodePreferences(encoded: number): NoticePreferences {
  const has = (bit: number) => (encoded & bit) !== 0;
  return {
    viewed: has(bits.everyView) ? 'every' : has(bits.firstView) ? 'first' : 'none',
    expired: has(bits.expired),
    failedPassphrase: has(bits.failedPassphrase),
    reminder: has(bits.reminder),
    askedAgain: has(bits.askedAgain),
  };
}

const bitsOf: Record<OwnerEvent, number> = {
  viewed: bits.everyView,
  expired_by_views: bits.expired,
  expired_by_time: bits.expired,
  burned: bits.expired,
  deleted: bits.expired,
  failed_passphrase: bits.failedPassphrase,
  locked: bits.failedPassphrase,
  about_to_expire: bits.reminder,
  asked_again: bits.askedAgain,
};

const requestEvents: readonly NoticeEvent[] = ['requested', 'declined', 'cancelled'];

export function isRequestEvent(event: NoticeEvent): event is RequestEvent {
  return requestEvents.includes(event);
}

/** The bits of an encoded choice of which one must be set for an event to be told; `viewsUsed` includes a view that is the event. */
export function bitsFor(event: OwnerEvent, viewsUsed = 0): number {
  return event === 'viewed' && viewsUsed === 1 ? bits.firstView | bits.everyView : bitsOf[event];
}
