import type { Rules } from './rules.ts';

/** A claim with a defect: the switches that are turned, the world where it shows, and a part of what the search says. */
type Variant = { change: Partial<Rules>; world: string; symptom: string };

/** Defects that the search must find, each by the shortest way there. */
export const wrongVariants: Record<string, Variant> = {
  'no lock, and no guard': {
    change: { locks: false, guardsUpdate: false },
    world: 'three programs on two processes, one view',
    symptom: 'has counted 2 views, allowed 1',
  },
  'rows read before the lock, and no guard': {
    change: { readsUnderLock: false, guardsUpdate: false },
    world: 'three programs on two processes, one view',
    symptom: 'has counted 2 views, allowed 1',
  },
  'views of the same transaction not counted, and no guard': {
    change: { countsEarlierViews: false, guardsUpdate: false },
    world: 'three programs on two processes, one view',
    symptom: 'was given 2 times, allowed 1',
  },
  'an answer before COMMIT': {
    change: { givesAfterCommit: false },
    world: 'three programs on two processes, one view',
    symptom: 'has the secret, and no committed view',
  },
  'an unconfirmed COMMIT taken for a success': {
    change: { whenUnknown: 'give' },
    world: 'a program that asks again when it got no answer',
    symptom: 'has the secret, and no committed view',
  },
  'an unconfirmed COMMIT taken for a failure, and tried again': {
    change: { whenUnknown: 'retry' },
    world: 'a program that asks again when it got no answer',
    symptom: 'used two views by one request',
  },
  'a time that is not compared with the clock': {
    change: { checksTime: false },
    world: 'an end by time, swept early or late',
    symptom: 'is counted after its end',
  },
  'no guard': {
    change: { guardsUpdate: false },
    world: 'an end by time, swept early or late',
    symptom: 'is counted after its end',
  },
  'a payload erased after COMMIT': {
    change: { erases: 'after' },
    world: 'three programs on two processes, one view',
    symptom: 'has ended, and its payload is there',
  },
  'audit rows after COMMIT': {
    change: { audits: 'after' },
    world: 'three programs on two processes, one view',
    symptom: 'with 0 audit rows',
  },
  'notices before COMMIT': {
    change: { notifies: 'before' },
    world: 'three programs on two processes, one view',
    symptom: 'has counted 0 views, and notices report 1',
  },
  'notices after COMMIT': {
    change: { notifies: 'after' },
    world: 'three programs on two processes, one view',
    symptom: 'has counted 1 views, and notices report 0',
  },
  'a copy for whoever has the link': {
    change: { bindsCopies: false },
    world: 'a page that is clicked twice, beside another page',
    symptom: 'page B has the view of page A',
  },
  'a copy without an end': {
    change: { limitsCopies: false },
    world: 'a page that is clicked twice, beside another page',
    symptom: 'asked too late, and has the secret',
  },
  'a copy that outlives its push': {
    change: { hidesEndedCopies: false },
    world: 'a page that is loaded again, and a deletion',
    symptom: 'asked too late, and has the secret',
  },
  'nonces spent after COMMIT': {
    change: { spendsNonces: 'after' },
    world: 'a page that is clicked twice, beside another page',
    symptom: 'has claimed a view, and is not spent',
  },
  'a key that claims a view of each of two pushes': {
    change: { refusesSpentNonces: false },
    world: 'a program with one key for two pushes',
    symptom: 'used two views by one request',
  },
  'a copy that a key opens for another push': {
    change: { bindsCopiesToPushes: false },
    world: 'a program with one key for two pushes',
    symptom: 'and has the secret of push',
  },
  'keys spent after COMMIT': {
    change: { spendsNonces: 'after' },
    world: 'a program with a key that asks again when it got no answer',
    symptom: 'has claimed a view, and is not spent',
  },
  'reserved views given to others, and no guard': {
    change: { keepsReservations: false, guardsUpdate: false },
    world: 'recipients beside everybody else',
    symptom: 'has fewer views left than are reserved',
  },
  'reservations that stay': {
    change: { releasesReservations: false },
    world: 'recipients beside everybody else',
    symptom: 'has 1 views reserved, and its recipients have 0',
  },
  'links of bound recipients that work again': {
    change: { endsBoundLinks: false },
    world: 'links of a bound recipient, each for one view',
    symptom: 'worked twice',
  },
  'views of clients that are known to be gone': {
    change: { asksWhoIsGone: false },
    world: 'clients that hang up in a group',
    symptom: 'counted for a client that is known to be gone',
  },
};
