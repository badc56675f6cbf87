import { expect } from 'chai';
import type { FinalPush } from './checker.ts';
import { checkConformance } from './conformance.ts';
import type { Operation, RecordedPush } from './record.ts';

const push: RecordedPush = {
  number: 0,
  token: 'token',
  payload: 'tulip',
  viewsMax: 2,
  passphrase: undefined,
  files: 0,
  isOwned: true,
};

/** An operation from one time to another. */
const operation = (agent: string, from: number, to: number, fields: Partial<Operation> = {}): Operation => ({
  kind: 'retrieve',
  push: 0,
  agent,
  process: 'web1',
  startedAt: from,
  endedAt: to,
  outcome: 'ok',
  status: 200,
  ...fields,
});

const view = (agent: string, from: number, to: number) => operation(agent, from, to, { payload: 'tulip' });
const ended = operation;
const unanswered = { outcome: 'unknown', status: 0 } as const;
const deleted = (from: number, to: number, fields: Partial<Operation> = {}) =>
  operation('delete', from, to, { kind: 'delete', ...fields });
const expired = (from: number, to: number, fields: Partial<Operation> = {}) =>
  operation('expire', from, to, { kind: 'expire', ...fields });

/** A notice of so many views. */
const notice = (times: number) => ({ id: 'n', event: 'viewed', viewsUsed: times, times, isSent: true });

const usedUp: FinalPush = {
  viewsMax: 2,
  viewsUsed: 2,
  hasPayload: false,
  expiresAt: 1_000,
  expiredOn: 110,
  deleted: false,
  viewAgents: ['a', 'b'],
  viewTimes: [105, 125],
  viewNumbers: [1, 2],
  notices: [notice(2)],
};
const usedOnce = {
  viewsUsed: 1,
  viewAgents: ['a'],
  viewTimes: [105],
  viewNumbers: [1],
  notices: [notice(1)],
};

function check(operations: Operation[], final: Partial<FinalPush> = {}): string {
  const stored = new Map([[0, { ...usedUp, ...final }]]);
  const found = checkConformance({ operations, faults: [], pushes: [push], stored, received: new Map() });
  return found.map(({ rule }) => rule).join('; ');
}

describe('The comparison of a history with the model of the claim', () => {
  const good: Record<string, Parameters<typeof check>> = {
    'two views, one after the other, and an end': [[view('a', 0, 5), view('b', 6, 9), ended('c', 10, 12)]],
    'views at once, counted in either order': [
      [view('a', 0, 9), view('b', 0, 9), ended('c', 1, 8)],
      { viewNumbers: [2, 1] },
    ],
    'an end seen before the answers of the views that caused it': [
      [view('a', 0, 90), view('b', 0, 91), ended('c', 10, 20)],
    ],
    'a view counted long after its client got no answer': [
      [operation('a', 0, 5, unanswered), view('b', 6, 9), ended('c', 200, 201)],
      { viewNumbers: [2, 1] },
    ],
    'a view whose answer was lost, and given again under its key': [
      [
        operation('a', 0, 5, { ...unanswered, key: 'k' }),
        { ...view('x', 20, 25), key: 'k' },
        { ...view('y', 30, 35), key: 'k' },
        view('b', 6, 9),
        ended('c', 10, 12),
      ],
      { viewNumbers: [1, 2] },
    ],
    'a request without an answer that counted nothing': [
      [operation('x', 0, 5, unanswered), view('a', 6, 9), view('b', 10, 12)],
    ],
    'a deletion after the first view': [
      [view('a', 0, 5), deleted(6, 9), ended('b', 10, 12)],
      { ...usedOnce, deleted: true },
    ],
    'a deletion without an answer that an end shows': [
      [view('a', 0, 5), deleted(6, 9, unanswered), ended('b', 10, 12)],
      { ...usedOnce, deleted: true },
    ],
    'a deletion that came too late': [[view('a', 0, 5), view('b', 3, 8), deleted(9, 12)]],
    'a time that ended, swept or not': [
      [view('a', 0, 5), expired(6, 9), ended('b', 10, 12)],
      { ...usedOnce, hasPayload: true },
    ],
    'a page that says that the push is not there': [
      [
        view('a', 0, 5),
        view('b', 6, 9),
        operation('c', 10, 12, { isByPage: true, outcome: 'refused', status: 404 }),
      ],
    ],
    'a wrong passphrase': [
      [
        operation('g', 0, 1, { kind: 'guess', outcome: 'refused', status: 401 }),
        view('a', 2, 5),
        view('b', 6, 9),
      ],
    ],
  };
  for (const [name, run] of Object.entries(good))
    it(`explains ${name}`, () => expect(check(...run)).to.equal(''));

  const bad: Record<string, [Parameters<typeof check>, string]> = {
    'a view after the last one': [
      [
        [view('a', 0, 5), view('b', 6, 9), view('c', 10, 12)],
        { viewAgents: ['a', 'b', 'c'], viewNumbers: [1, 2, 3] },
      ],
      'nothing explains c (view 3)',
    ],
    'a view under a key that was counted after it was given': [
      [
        [
          operation('x', 0, 1, { ...unanswered, key: 'k' }),
          { ...view('a', 2, 5), key: 'k' },
          view('b', 6, 9),
        ],
        { viewNumbers: [2, 1] },
      ],
      'nothing explains k (view 2)',
    ],
    'an end while views were left': [
      [[view('a', 0, 5), ended('c', 6, 8), view('b', 10, 12)]],
      'nothing explains c (ended), b (view 2)',
    ],
    'views counted in another order than they were given': [
      [[view('a', 0, 5), view('b', 6, 9)], { viewNumbers: [2, 1] }],
      'nothing explains a (view 2), b (view 1)',
    ],
    'a view after the answer to a deletion': [
      [[view('a', 0, 5), deleted(6, 9), view('b', 10, 12)], { deleted: true }],
      'nothing explains b (view 2)',
    ],
    'a view after the end of its time': [
      [[view('a', 0, 5), expired(6, 9), view('b', 10, 12)]],
      'explains b (view 2)',
    ],
    'a deletion that was confirmed and is not there': [
      [[view('a', 0, 5), deleted(6, 9)], { ...usedOnce, hasPayload: true }],
      'nothing explains what the database holds',
    ],
    'an end that nothing caused': [
      [[view('a', 0, 5), ended('b', 6, 9)], { ...usedOnce, hasPayload: true }],
      'nothing explains b (ended)',
    ],
    'a view that nobody asked for': [[[view('a', 0, 5)]], 'nothing explains what the database holds'],
    'a payload that stayed after the last view': [
      [[view('a', 0, 5), view('b', 6, 9)], { hasPayload: true }],
      'nothing explains what the database holds',
    ],
    'a view that no notice reports': [
      [[view('a', 0, 5), view('b', 6, 9)], { notices: [notice(1)] }],
      'nothing explains what the database holds',
    ],
    'a view that was given and not counted': [
      [[view('a', 0, 5), view('b', 6, 9)], usedOnce],
      'nothing explains what the database holds',
    ],
  };
  for (const [name, [run, expected]] of Object.entries(bad))
    it(`does not explain ${name}`, () => expect(check(...run)).to.include(expected));
});
