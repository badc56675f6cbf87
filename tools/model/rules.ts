/** When something is written: with the view, in its transaction, or in one of its own. */
type Moment = 'before' | 'inside' | 'after';

/** What the claim does, as switches: a wrong variant turns some of them. The numbers are the steps of `claim.ts`. */
export type Rules = {
  /** 1. SELECT … FOR UPDATE. */
  locks: boolean;
  /** 1. The row that is decided by is read once it is locked, not before. */
  readsUnderLock: boolean;
  /** 2 and 3. The push's time is compared with the database's clock. */
  checksTime: boolean;
  /** 2. Views that the same transaction gave to others before count. */
  countsEarlierViews: boolean;
  /** 2. The push's own link leaves to recipients what is reserved for them. */
  keepsReservations: boolean;
  /** 2. The link of a bound recipient works once. */
  endsBoundLinks: boolean;
  /** 2. A nonce that was used claims no further view. */
  findsNonces: boolean;
  /** 3. The UPDATE repeats the conditions. */
  guardsUpdate: boolean;
  /** 3. A recipient's view is no longer reserved once it is used. */
  releasesReservations: boolean;
  /** 4. */
  erases: Moment;
  /** 5. */
  audits: Moment;
  /** 5. The nonces, with their copies. */
  spendsNonces: Moment;
  /** 5. The primary key refuses the same nonce again, and waits for the transaction that has just written it. */
  refusesSpentNonces: boolean;
  /** 5. A copy is for the browser that has the nonce, not for whoever has the link. */
  bindsCopies: boolean;
  /** 5. A copy opens with its own url token alone, whatever the nonce. */
  bindsCopiesToPushes: boolean;
  /** 5. A copy is shown for a minute. */
  limitsCopies: boolean;
  /** After step 7: the copy of a push that was deleted, or whose time is over, is not shown. */
  hidesEndedCopies: boolean;
  /** 6. */
  notifies: Moment;
  /** 7. Nothing is counted for clients that are known to be gone. */
  asksWhoIsGone: boolean;
  /** 7. Answers leave after COMMIT. */
  givesAfterCommit: boolean;
  /** 7. What follows a COMMIT without a reply: 503, all of it again, or the answers. */
  whenUnknown: 'refuse' | 'retry' | 'give';
};

/** The claim as it is built. */
export const asBuilt: Rules = {
  locks: true,
  readsUnderLock: true,
  checksTime: true,
  countsEarlierViews: true,
  keepsReservations: true,
  endsBoundLinks: true,
  findsNonces: true,
  guardsUpdate: true,
  releasesReservations: true,
  erases: 'inside',
  audits: 'inside',
  spendsNonces: 'inside',
  refusesSpentNonces: true,
  bindsCopies: true,
  bindsCopiesToPushes: true,
  limitsCopies: true,
  hidesEndedCopies: true,
  notifies: 'inside',
  asksWhoIsGone: true,
  givesAfterCommit: true,
  whenUnknown: 'refuse',
};
