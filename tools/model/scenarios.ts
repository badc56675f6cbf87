import { newPush } from './push.ts';
import type { Scenario } from './world.ts';

/** Small worlds. Together they have all that may happen to a claim, and each is small enough to be searched whole. */
export const scenarios: Scenario[] = [
  {
    name: 'three programs on two processes, one view',
    pushes: [newPush(1)],
    requests: [
      { requester: 'A', push: 0, process: 1 },
      { requester: 'B', push: 0, process: 1 },
      { requester: 'C', push: 0, process: 2 },
    ],
    faults: { crashes: 1 },
  },
  {
    name: 'three programs on two processes, two views',
    pushes: [newPush(2)],
    requests: [
      { requester: 'A', push: 0, process: 1 },
      { requester: 'B', push: 0, process: 1 },
      { requester: 'C', push: 0, process: 2 },
    ],
    faults: { lostCommits: 1 },
  },
  {
    name: 'a program that asks again when it got no answer',
    pushes: [newPush(2)],
    requests: [
      { requester: 'A', push: 0, process: 1 },
      { requester: 'A', push: 0, process: 2, repeats: { request: 0, once: 'unanswered' } },
      { requester: 'B', push: 0, process: 1 },
    ],
    faults: { crashes: 1, lostCommits: 1, cuts: 1 },
  },
  {
    name: 'a page that is clicked twice, beside another page',
    pushes: [newPush(1)],
    requests: [
      { requester: 'A', push: 0, process: 1, nonce: 'a' },
      { requester: 'A', push: 0, process: 2, nonce: 'a', repeats: { request: 0, once: 'sent' } },
      { requester: 'B', push: 0, process: 1, nonce: 'b' },
    ],
    events: [{ kind: 'minute' }],
    faults: { crashes: 1 },
  },
  {
    name: 'a page of a push with two views, whose answer is lost',
    pushes: [newPush(2)],
    requests: [
      { requester: 'A', push: 0, process: 1, nonce: 'a' },
      { requester: 'A', push: 0, process: 2, nonce: 'a', repeats: { request: 0, once: 'unanswered' } },
      { requester: 'B', push: 0, process: 1 },
    ],
    events: [{ kind: 'minute' }],
    faults: { crashes: 1, lostCommits: 1 },
  },
  {
    name: 'a page that is loaded again, and a deletion',
    pushes: [newPush(2)],
    requests: [
      { requester: 'A', push: 0, process: 1, nonce: 'a' },
      { requester: 'A', push: 0, process: 1, nonce: 'a', repeats: { request: 0, once: 'sent' } },
      { requester: 'B', push: 0, process: 2 },
    ],
    events: [{ kind: 'delete', push: 0 }],
    faults: { crashes: 1 },
  },
  {
    name: 'a program with a key that asks again when it got no answer',
    pushes: [newPush(1)],
    requests: [
      { requester: 'A', push: 0, process: 1, nonce: 'a', isKey: true },
      {
        requester: 'A',
        push: 0,
        process: 2,
        nonce: 'a',
        isKey: true,
        repeats: { request: 0, once: 'unanswered' },
      },
      { requester: 'B', push: 0, process: 1 },
    ],
    events: [{ kind: 'minute' }],
    faults: { crashes: 1, lostCommits: 1, hangUps: 1 },
  },
  {
    name: 'a program with one key for two pushes',
    pushes: [newPush(1), newPush(1)],
    requests: [
      { requester: 'A', push: 0, process: 1, nonce: 'a', isKey: true },
      { requester: 'A', push: 1, process: 2, nonce: 'a', isKey: true },
      { requester: 'A', push: 0, process: 1, nonce: 'a', isKey: true, repeats: { request: 0, once: 'sent' } },
    ],
    faults: { crashes: 1 },
  },
  {
    name: 'a nonce that somebody else sends, too',
    pushes: [newPush(2)],
    requests: [
      { requester: 'A', push: 0, process: 1, nonce: 'a' },
      { requester: 'B', push: 0, process: 2, nonce: 'a' },
    ],
    faults: { crashes: 1, cuts: 1 },
  },
  {
    name: 'recipients beside everybody else',
    pushes: [newPush(2, [{ viewsMax: 1, isBound: false }])],
    requests: [
      { requester: 'A', push: 0, process: 1 },
      { requester: 'B', push: 0, process: 1 },
      { requester: 'R', push: 0, recipient: 0, process: 1 },
    ],
    events: [{ kind: 'invite', push: 0, viewsMax: 1 }],
    faults: { crashes: 1 },
  },
  {
    name: 'links of a bound recipient, each for one view',
    pushes: [newPush(3, [{ viewsMax: 2, isBound: true }])],
    requests: [
      { requester: 'R', push: 0, recipient: 0, process: 1 },
      { requester: 'R', push: 0, recipient: 0, process: 2 },
      { requester: 'R', push: 0, recipient: 0, version: 1, process: 1 },
    ],
    events: [{ kind: 'link', push: 0, recipient: 0 }],
    faults: { crashes: 1 },
  },
  {
    name: 'an end by time, swept early or late',
    pushes: [newPush(2)],
    requests: [
      { requester: 'A', push: 0, process: 1 },
      { requester: 'B', push: 0, process: 2, nonce: 'b' },
      { requester: 'B', push: 0, process: 2, nonce: 'b', repeats: { request: 1, once: 'unanswered' } },
    ],
    events: [
      { kind: 'time', push: 0 },
      { kind: 'sweep', push: 0 },
    ],
    faults: { crashes: 1 },
  },
  {
    name: 'clients that hang up in a group',
    pushes: [newPush(2)],
    requests: [
      { requester: 'A', push: 0, process: 1 },
      { requester: 'B', push: 0, process: 1 },
      { requester: 'C', push: 0, process: 2 },
    ],
    faults: { hangUps: 1 },
  },
  {
    name: 'groups over two pushes on two processes',
    pushes: [newPush(1), newPush(1)],
    requests: [
      { requester: 'A', push: 0, process: 1 },
      { requester: 'B', push: 1, process: 1 },
      { requester: 'C', push: 0, process: 2 },
      { requester: 'D', push: 1, process: 2 },
    ],
  },
];
