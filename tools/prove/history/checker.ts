import { clientOf, groupBy, type Operation, type RecordedFault, type RecordedPush } from './record.ts';

/** A push in the database when everything is over. */
export type FinalPush = {
  viewsMax: number;
  viewsUsed: number;
  hasPayload: boolean;
  expiresAt: number;
  expiredOn: number | null;
  deleted: boolean;
  /** The user agents of its `view` rows. */
  viewAgents: string[];
  /** When each of them was written, before its COMMIT. */
  viewTimes: number[];
  /** Which view of the push each of them is, from 1. */
  viewNumbers: number[];
  notices: FinalNotice[];
};

/** A notice in the database when everything is over. */
export type FinalNotice = { id: string; event: string; viewsUsed: number; times: number; isSent: boolean };

/** A notice as the webhook received it, and when. */
export type ReceivedNotice = { id: string; type: string; viewsUsed: number; times: number; at: number };

export type CheckedHistory = {
  operations: readonly Operation[];
  faults: readonly RecordedFault[];
  pushes: readonly RecordedPush[];
  /** By the number of the push; a push that the database does not have is missing. */
  stored: ReadonlyMap<number, FinalPush>;
  /** What the webhooks received about a push, in order, by its number. */
  received: ReadonlyMap<number, readonly ReceivedNotice[]>;
};

/** A broken rule, and the push that broke it. */
export type Violation = { rule: string; push: number };

/** One push with everything that concerns it. */
type Case = {
  push: RecordedPush;
  operations: readonly Operation[];
  stored: FinalPush;
  received: readonly ReceivedNotice[];
  faults: readonly RecordedFault[];
};

/** Checks one rule. Returns what broke it, in one sentence each. */
type Rule = (one: Case) => string[];

const expectedStatuses = [0, 200, 201, 303, 401, 404, 409, 429, 503];

/** How long it takes at most until a process notices that a client has hung up, on a machine with much to do. */
const noticeMs = 1_000;

const delivered = ({ operations }: Case) =>
  operations.filter(({ kind, payload }) => kind === 'retrieve' && payload !== undefined);

/** Whether it was deleted, or its time ended: then no view is given again. */
const hasEndedMeanwhile = ({ operations }: Case) =>
  operations.some(({ kind, outcome }) => ['delete', 'expire'].includes(kind) && outcome !== 'refused');

const rules: Rule[] = [
  function deliversAtMostItsViews(one) {
    const count = new Set(delivered(one).map(clientOf)).size;
    const { viewsMax } = one.push;
    return count > viewsMax ? [`delivered ${count} times, allowed ${viewsMax}`] : [];
  },

  function deliversThePayload(one) {
    const wrong = delivered(one).filter(({ payload }) => payload !== one.push.payload);
    return wrong.map(({ agent }) => `${agent} got another payload`);
  },

  /** delivered ≤ view rows ≤ delivered + unknown, for each reader by name, or by key. */
  function countsEachView(one) {
    const names = new Map(one.operations.map((operation) => [operation.agent, clientOf(operation)]));
    const rows = one.stored.viewAgents.map((agent) => names.get(agent) ?? agent);
    const readers = new Set(delivered(one).map(clientOf));
    const unknown = new Set(one.operations.filter(({ outcome }) => outcome === 'unknown').map(clientOf));
    return [
      ...[...readers].filter((agent) => !rows.includes(agent)).map((agent) => `${agent} has no view row`),
      ...rows
        .filter((agent) => !readers.has(agent) && !unknown.has(agent))
        .map((agent) => `${agent} has a view row, but was refused`),
      ...(new Set(rows).size < rows.length ? ['one request has two view rows'] : []),
      ...(rows.length === one.stored.viewsUsed
        ? []
        : [`${one.stored.viewsUsed} views counted, ${rows.length} view rows`]),
    ];
  },

  /** Whoever tries again under a key until there is an answer, gets the view that was counted for it. */
  function losesNoViewUnderAKey(one) {
    const given = new Set(delivered(one).map(clientOf));
    const answered = one.operations.filter(({ key, outcome }) => key !== undefined && outcome !== 'unknown');
    const keys = new Set(answered.map(clientOf));
    return one.operations
      .filter(({ agent }) => one.stored.viewAgents.includes(agent))
      .map(clientOf)
      .filter((client) => keys.has(client) && !given.has(client) && !hasEndedMeanwhile(one))
      .map((client) => `a view was counted under ${client}, which never got it`);
  },

  /** Nothing is counted for a client that was known to be gone before the view was written. */
  function countsNobodyGone({ stored: { viewAgents, viewTimes }, operations, faults }) {
    return operations.flatMap(({ agent, hungUpAt = Number.POSITIVE_INFINITY }) => {
      const writtenAt = viewTimes[viewAgents.indexOf(agent)] ?? 0;
      const isHeldBack = faults.some(
        ({ name, startedAt, endedAt }) =>
          name === 'silence-clients' && startedAt < writtenAt && endedAt > hungUpAt,
      );
      const isKnown = writtenAt > hungUpAt + noticeMs && !isHeldBack;
      return isKnown
        ? [`${agent} was known to be gone for ${writtenAt - hungUpAt} ms, and has a view row`]
        : [];
    });
  },

  function respondsAsDocumented({ operations }) {
    return operations.flatMap(({ agent, status, defect }) => [
      ...(expectedStatuses.includes(status) ? [] : [`${agent} got the status ${status}`]),
      ...(defect === undefined ? [] : [`${agent} got ${defect}`]),
    ]);
  },

  /** A confirmed push is found by every later request. Its page does not say whether it has ended. */
  function isDurable({ operations }) {
    return operations
      .filter(({ kind, status, isByPage }) => kind !== 'download' && !isByPage && status === 404)
      .map(({ agent }) => `${agent} did not find it`);
  },

  function isGoneAfterItsEnd(one) {
    const { expiresAt } = one.stored;
    return delivered(one)
      .filter(({ startedAt }) => startedAt > expiresAt)
      .map(({ agent }) => `${agent} read it after its end`);
  },

  function isGoneAfterItsDeletion(one) {
    const deletions = one.operations.filter(({ kind, outcome }) => kind === 'delete' && outcome === 'ok');
    const deletedAt = Math.min(...deletions.map(({ endedAt }) => endedAt));
    return [
      ...delivered(one)
        .filter(({ startedAt }) => startedAt > deletedAt)
        .map(({ agent }) => `${agent} read it after its deletion`),
      ...(deletions.length > 0 && one.stored.expiredOn === null ? ['its deletion was lost'] : []),
    ];
  },

  function staysUntilItsEnd(one) {
    const { expiredOn, hasPayload, viewsUsed, viewsMax, deleted, expiresAt } = one.stored;
    const hasReason = deleted || viewsUsed >= viewsMax || (expiredOn ?? 0) >= expiresAt;
    return [
      ...(expiredOn !== null && !hasReason ? ['it ended without a reason'] : []),
      ...(expiredOn === null && !hasPayload ? ['its payload is gone before its end'] : []),
      ...(expiredOn !== null && hasPayload ? ['its payload was not erased with its end'] : []),
    ];
  },

  function isErased({ stored: { hasPayload, viewsUsed, viewsMax, expiresAt }, operations }) {
    const isExpired = operations.some(({ kind, outcome }) => kind === 'expire' && outcome === 'ok');
    return hasPayload && (viewsUsed >= viewsMax || isExpired)
      ? [`it was not erased after its end at ${new Date(expiresAt).toISOString()}`]
      : [];
  },

  function keepsItsExtension({ operations, stored }) {
    return operations
      .filter(({ kind, outcome }) => kind === 'extend' && outcome === 'ok')
      .filter(({ expiresAt = 0 }) => expiresAt > stored.expiresAt && stored.expiredOn === null)
      .map(({ agent }) => `the extension of ${agent} was lost`);
  },

  /** A view comes with all files. They can be downloaded until its right ends, or the push is deleted or expires. */
  function givesItsFiles(one) {
    const { push, operations } = one;
    const endings = operations.filter(
      ({ kind, outcome }) => (kind === 'delete' || kind === 'expire') && outcome !== 'refused',
    );
    const endedAt = Math.min(...endings.map(({ startedAt }) => startedAt));
    return [
      ...delivered(one)
        .filter(({ files }) => files !== push.files)
        .map(({ agent, files }) => `${agent} came with ${files} of ${push.files} files`),
      ...operations
        .filter(({ kind, outcome }) => kind === 'download' && outcome === 'refused')
        .filter((download) => download.endedAt < Math.min(endedAt, download.grantEndsAt ?? 0))
        .map(({ agent, status }) => `${agent} got the status ${status} instead of the file`),
    ];
  },

  /** Each view of an owned push is in a notice, no notice speaks of more, and each arrives at least once, in order. */
  function notifies({ push, stored: { notices, viewsUsed }, received }) {
    if (!push.isOwned) return [];
    const notified = notices.filter(({ event }) => event === 'viewed');
    const times = notified.reduce((sum, notice) => sum + notice.times, 0);
    const ids = new Set(received.map(({ id }) => id));
    return [
      ...(times === viewsUsed ? [] : [`${viewsUsed} views, ${times} of them in notices`]),
      ...received
        .filter((notice) => notice.viewsUsed > viewsUsed)
        .map((notice) => `${notice.id} reports view ${notice.viewsUsed} of ${viewsUsed}`),
      ...notices.filter(({ isSent }) => !isSent).map(({ id, event }) => `${id} (${event}) was not sent`),
      ...notices
        .filter(({ isSent, id }) => isSent && !ids.has(id))
        .map(({ id, event }) => `${id} (${event}) is marked as sent, but never arrived`),
      ...outOfOrder(received),
    ];
  },
];

/** Notices of views that first arrived after one of a later view, or after the end. */
function outOfOrder(received: readonly ReceivedNotice[]): string[] {
  const first = received.filter(({ id }, index) => received.findIndex((other) => other.id === id) === index);
  const ordered = first.filter(({ type }) => type === 'push.viewed' || type === 'push.expired');
  return ordered.flatMap(({ id, type, viewsUsed }, index) => {
    const before = ordered[index - 1];
    if (before === undefined) return [];
    const isLate = before.viewsUsed > viewsUsed || (before.type === 'push.expired' && type === 'push.viewed');
    return isLate
      ? [`${id}, of view ${viewsUsed}, arrived after ${before.id}, of view ${before.viewsUsed}`]
      : [];
  });
}

/** Compares what clients saw with what the database holds, push by push. */
export function checkHistory({ operations, pushes, stored, received, faults }: CheckedHistory): Violation[] {
  const byPush = groupBy(operations, ({ push }) => push);
  return pushes.flatMap((push) => {
    const { number } = push;
    const final = stored.get(number);
    if (final === undefined) return [{ rule: 'it was confirmed, and is lost', push: number }];
    const one: Case = {
      push,
      operations: byPush.get(number) ?? [],
      stored: final,
      received: received.get(number) ?? [],
      faults,
    };
    return rules.flatMap((rule) => rule(one)).map((broken) => ({ rule: broken, push: number }));
  });
}
