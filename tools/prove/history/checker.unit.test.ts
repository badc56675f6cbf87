import { expect } from 'chai';
import { checkHistory, type FinalPush, type ReceivedNotice } from './checker.ts';
import type { Operation, RecordedPush } from './record.ts';

const push: RecordedPush = {
  number: 0,
  token: 'token',
  payload: 'tulip',
  viewsMax: 2,
  passphrase: undefined,
  files: 1,
  isOwned: true,
};

const operation = (fields: Partial<Operation>): Operation => ({
  kind: 'retrieve',
  push: 0,
  agent: 'retrieve 1',
  process: 'web1',
  startedAt: 100,
  endedAt: 110,
  outcome: 'ok',
  status: 200,
  ...fields,
});

const first = operation({ agent: 'retrieve 1', payload: 'tulip', files: 1 });
const second = operation({ agent: 'retrieve 2', payload: 'tulip', files: 1 });
const download = (fields: Partial<Operation> = {}) =>
  operation({
    kind: 'download',
    agent: 'download 1',
    startedAt: 120,
    endedAt: 130,
    grantEndsAt: 500,
    ...fields,
  });
const gone = { outcome: 'refused', status: 404 } as const;
const empty = operation({ agent: 'retrieve 3' });
const unknown = operation({ agent: 'retrieve 4', outcome: 'unknown', status: 503 });

const notice = (number: number, fields = {}) => ({
  id: `n${number}`,
  viewsUsed: number,
  times: 1,
  ...fields,
});
const viewed = (number: number) => ({ ...notice(number), event: 'viewed', isSent: true });
const arrived = (number: number, type = 'push.viewed'): ReceivedNotice => ({
  ...notice(number),
  type,
  at: 0,
});

const stored: FinalPush = {
  viewsMax: 2,
  viewsUsed: 2,
  hasPayload: false,
  expiresAt: 1_000,
  expiredOn: 110,
  deleted: false,
  viewAgents: ['retrieve 1', 'retrieve 2'],
  viewTimes: [105, 125],
  viewNumbers: [1, 2],
  notices: [viewed(1), viewed(2)],
};

/** What the checker finds in a faultless history, with some changes. */
function check(
  operations = [first, second, empty],
  final: Partial<FinalPush> | null = {},
  received = [arrived(1), arrived(2)],
): string[] {
  return checkHistory({
    operations,
    faults: [],
    pushes: [push],
    stored: new Map(final === null ? [] : [[0, { ...stored, ...final }]]),
    received: new Map([[0, received]]),
  }).map(({ rule }) => rule);
}

describe('The checker of histories', () => {
  it('finds nothing in a faultless history', () => {
    expect(check()).to.eql([]);
  });

  it('accepts that an unknown request used a view, or did not', () => {
    const viewAgents = ['retrieve 1', 'retrieve 4'];
    expect(check([first, empty, unknown], { viewAgents })).to.eql([]);
    expect(check([first, second, unknown])).to.eql([]);
  });

  it('counts attempts under one key as one client, which gets the view that was counted for any of them', () => {
    const lost = { ...unknown, key: 'k' };
    const again = [5, 6].map((number) => ({ ...second, agent: `retrieve ${number}`, key: 'k' }));
    expect(check([first, lost, ...again], { viewAgents: ['retrieve 1', 'retrieve 4'] })).to.eql([]);
    expect(check([first, ...again], { viewAgents: ['retrieve 1', 'retrieve 6'] })).to.eql([]);
  });

  it('accepts that a view which was counted under a key is not given again after a deletion', () => {
    const lost = { ...unknown, key: 'k' };
    const late = { ...empty, key: 'k' };
    const deletion = operation({ kind: 'delete', agent: 'delete 1', startedAt: 111, endedAt: 125 });
    const viewAgents = ['retrieve 1', 'retrieve 4'];
    expect(check([first, lost, late, deletion], { viewAgents, deleted: true })).to.eql([]);
    expect(check([first, lost, late], { viewAgents })).to.include(
      'a view was counted under k, which never got it',
    );
  });

  it('accepts that a file is gone once the right to it has ended, or its push', () => {
    expect(check([first, second, download({ ...gone, endedAt: 501 })])).to.eql([]);
    const deletion = operation({ kind: 'delete', agent: 'delete 1', startedAt: 115, endedAt: 125 });
    expect(check([first, second, deletion, download(gone)])).to.eql([]);
  });

  const faults: [string, Parameters<typeof check>, string][] = [
    ['a lost push', [[first], null], 'it was confirmed, and is lost'],
    [
      'a payload too many',
      [
        [first, second, { ...empty, payload: 'tulip' }],
        { viewsUsed: 3, viewAgents: ['retrieve 1', 'retrieve 2', 'retrieve 3'] },
      ],
      'delivered 3 times, allowed 2',
    ],
    [
      'a view of a client that was known to be gone',
      [
        [first, { ...unknown, hungUpAt: 200 }],
        { viewAgents: ['retrieve 1', 'retrieve 4'], viewTimes: [105, 5_000] },
      ],
      'retrieve 4 was known to be gone for 4800 ms, and has a view row',
    ],
    ['another payload', [[first, { ...second, payload: 'rose' }]], 'retrieve 2 got another payload'],
    [
      'a view without its row',
      [[first, second], { viewAgents: ['retrieve 1'], viewsUsed: 1 }],
      'retrieve 2 has no view row',
    ],
    [
      'a row of a refused request',
      [[first, empty], { viewAgents: ['retrieve 1', 'retrieve 3'] }],
      'retrieve 3 has a view row, but was refused',
    ],
    ['two rows of a request', [[first], { viewAgents: ['retrieve 1', 'retrieve 1'] }], 'two view rows'],
    [
      'two rows under a key',
      [
        [
          { ...first, key: 'k' },
          { ...second, key: 'k' },
        ],
      ],
      'two view rows',
    ],
    ['a wrong count', [[first, second], { viewsUsed: 1 }], '1 views counted, 2 view rows'],
    ['a failure', [[first, second, { ...empty, status: 500 }]], 'retrieve 3 got the status 500'],
    ['a push not found', [[first, second, { ...empty, status: 404 }]], 'retrieve 3 did not find it'],
    ['a view after the end', [[first, { ...second, startedAt: 1_001 }]], 'retrieve 2 read it after its end'],
    [
      'a view after the deletion',
      [[operation({ kind: 'delete', agent: 'delete 1', endedAt: 50 }), first, second]],
      'retrieve 1 read it after its deletion',
    ],
    [
      'a lost deletion',
      [[operation({ kind: 'delete' }), first, second], { expiredOn: null }],
      'its deletion was lost',
    ],
    [
      'an end without a reason',
      [[first, unknown], { viewsUsed: 1, viewAgents: ['retrieve 1'], notices: [viewed(1)] }],
      'it ended without a reason',
    ],
    ['a payload that stayed', [[first, second], { hasPayload: true }], 'its payload was not erased'],
    [
      'a lost extension',
      [
        [operation({ kind: 'extend', agent: 'extend 1', expiresAt: 2_000 }), first, second],
        { expiredOn: null },
      ],
      'the extension of extend 1 was lost',
    ],
    ['a view without its files', [[first, { ...second, files: 0 }]], 'retrieve 2 came with 0 of 1 files'],
    ['a file that is refused', [[first, second, download(gone)]], 'download 1 got the status 404'],
    [
      'a file that is not there yet for a minute',
      [[first, second, download({ outcome: 'unknown', status: 503, defect: 'no file within 60 s' })]],
      'download 1 got no file within 60 s',
    ],
    ['a view without a notice', [[first, second], { notices: [viewed(1)] }], '2 views, 1 of them in notices'],
    [
      'a notice that was never sent',
      [[first, second], { notices: [viewed(1), { ...viewed(2), isSent: false }] }],
      'n2 (viewed) was not sent',
    ],
    ['a notice that never arrived', [[first, second], {}, [arrived(1)]], 'n2 (viewed) is marked as sent'],
    [
      'a notice of a view that never was',
      [[first, second], {}, [arrived(1), arrived(2), arrived(3)]],
      'n3 reports view 3 of 2',
    ],
    [
      'notices out of order',
      [[first, second], {}, [arrived(2), arrived(1)]],
      'n1, of view 1, arrived after n2',
    ],
    [
      'a view after its end in the notices',
      [[first, second], {}, [arrived(1), { ...arrived(2, 'push.expired'), id: 'end' }, arrived(2)]],
      'n2, of view 2, arrived after end',
    ],
  ];

  for (const [fault, changes, expected] of faults)
    it(`finds ${fault}`, () => {
      expect(check(...changes).join('; ')).to.contain(expected);
    });
});
