import { type ClientOperation, linearise } from '../../model/linearise.ts';
import { newPush } from '../../model/push.ts';
import type { CheckedHistory, FinalPush, Violation } from './checker.ts';
import { clientOf, groupBy, type Operation } from './record.ts';

const shownMax = 6;

/**
 * Checks that each push did what the model of the claim can do: whether an order of its operations explains what every
 * client saw, and what the database holds in the end.
 */
export function checkConformance({ operations, pushes, stored }: CheckedHistory): Violation[] {
  const byPush = groupBy(operations, ({ push }) => push);
  return pushes.flatMap(({ number, viewsMax, isOwned }) => {
    const final = stored.get(number);
    if (final === undefined) return []; // it is lost, which another rule says
    const ofClients = groupBy(byPush.get(number) ?? [], clientOf);
    const seen = [...ofClients.values()].flatMap((attempts) => toClientOperations(attempts, final));
    const outcome = {
      used: final.viewsUsed,
      hasPayload: final.hasPayload,
      isDeleted: final.deleted,
      reported: isOwned ? countReported(final) : undefined,
    };
    const found = linearise(newPush(viewsMax), seen, outcome);
    if (found.isExplained) return [];
    const rest = found.rest.length > 0 ? listOf(found.rest) : 'what the database holds';
    const before = found.order.length > 0 ? `after ${listOf(found.order.slice(-shownMax))}, ` : '';
    return [
      { rule: `no order of its operations explains it: ${before}nothing explains ${rest}`, push: number },
    ];
  });
}

/** How many views the notices of an owned push report. */
const countReported = ({ notices }: FinalPush) =>
  notices.filter(({ event }) => event === 'viewed').reduce((sum, { times }) => sum + times, 0);

const listOf = (names: string[]) =>
  names.length > shownMax ? `${names.slice(0, shownMax).join(', ')} and others` : names.join(', ');

/**
 * What a client tells about the push, by one operation, or by attempts under one key. Those count one view, of which the first
 * attempt that got it is the last moment. Refusals tell nothing, nor does what had no answer and no view.
 */
function toClientOperations(attempts: Operation[], final: FinalPush): ClientOperation[] {
  const given = attempts.filter(({ payload }) => payload !== undefined);
  const row = attempts.map(({ agent }) => final.viewAgents.indexOf(agent)).find((index) => index >= 0);
  const isCounted = row !== undefined && attempts.some(({ outcome }) => outcome === 'unknown');
  const view: ClientOperation = {
    name: attempts.map(clientOf)[0] ?? '',
    kind: 'view',
    from: Math.min(...attempts.map(({ startedAt }) => startedAt)),
    to: Math.min(...given.map(({ endedAt }) => endedAt)),
    isCertain: true,
    number: row === undefined ? undefined : final.viewNumbers[row],
  };
  const others = attempts.filter(({ payload }) => payload === undefined).flatMap(toOtherOperation);
  return given.length > 0 || isCounted ? [view, ...others] : others;
}

function toOtherOperation(operation: Operation): ClientOperation[] {
  const { agent: name, kind, startedAt: from, endedAt, outcome } = operation;
  const isCertain = outcome === 'ok';
  const times = { name, from, to: outcome === 'unknown' ? Number.POSITIVE_INFINITY : endedAt };
  if (hasSeenTheEnd(operation)) return [{ ...times, kind: 'ended', isCertain: true }];
  if (outcome === 'refused') return [];
  if (kind === 'delete') return [{ ...times, kind: 'delete', isCertain }];
  return kind === 'expire' ? [{ ...times, kind: 'time', isCertain }] : [];
}

/** The API returns a push that has ended without its payload. A page says that it is not there. */
const hasSeenTheEnd = ({ kind, status, isByPage }: Operation) =>
  (kind === 'retrieve' || kind === 'guess') && status === (isByPage ? 404 : 200);
