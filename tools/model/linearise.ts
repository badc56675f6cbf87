import { count, decide, end, type PushRow } from './push.ts';
import { asBuilt } from './rules.ts';

/**
 * What a client did to a push by its own link, from when it asked until it got the answer. Without an answer, `to` is
 * infinite. `view` was counted, `ended` was answered that there is no view left, `time`: the push's time ended.
 */
export type ClientOperation = {
  name: string;
  kind: 'view' | 'ended' | 'delete' | 'time';
  from: number;
  to: number;
  /** Whether it happened for certain. */
  isCertain: boolean;
  /** Which view of the push it got. */
  number?: number | undefined;
};

/** What the database holds of the push in the end. `reported`: the views in its notices, unless nobody gets any. */
export type Outcome = {
  used: number;
  hasPayload: boolean;
  isDeleted: boolean;
  reported?: number | undefined;
};

/** An order that explains all; or the longest one that explains a part, and what fits nowhere after it. */
export type Linearisation =
  | { isExplained: true; order: string[] }
  | { isExplained: false; order: string[]; rest: string[] };

/**
 * Searches an order of operations in which each happens at one moment between its question and its answer, and the claim of
 * the model answers what the clients got, and leaves what the database holds. So each recorded run is a run of the model
 * in which nothing happens at the same time. Operations that are not certain may be left out.
 */
export function linearise(
  push: PushRow,
  operations: readonly ClientOperation[],
  outcome: Outcome,
): Linearisation {
  const failed = new Set<string>();
  let longest: { order: ClientOperation[]; rest: ClientOperation[] } = { order: [], rest: [...operations] };

  function place(
    row: PushRow,
    rest: readonly ClientOperation[],
    order: ClientOperation[],
  ): string[] | undefined {
    if (order.length > longest.order.length) longest = { order, rest: [...rest] };
    if (isDone(row, rest, outcome)) return order.map(textOf);
    const key = `${rest.map((one) => operations.indexOf(one)).join()} ${JSON.stringify(row)}`;
    if (failed.has(key)) return undefined;
    failed.add(key);
    const deadline = Math.min(...rest.filter(({ isCertain }) => isCertain).map(({ to }) => to));
    const next = rest.filter(({ from }) => from <= deadline);
    const steps = next.flatMap((operation) => {
      const changed = apply(row, operation);
      return changed === undefined ? [] : [{ operation, changed }];
    });
    // what is right now and changes nothing may as well be next
    const harmless = steps.find(({ operation }) => operation.kind === 'ended');
    for (const { operation, changed } of harmless ? [harmless] : steps) {
      const others = rest.filter((one) => one !== operation);
      const found = place(changed, others, [...order, operation]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  const found = place(push, operations, []);
  if (found !== undefined) return { isExplained: true, order: found };
  const rest = longest.rest.filter(({ isCertain }) => isCertain);
  return { isExplained: false, order: longest.order.map(textOf), rest: rest.map(textOf) };
}

/** What an operation makes of a push at one moment. Undefined if the claim would have answered something else. */
function apply(row: PushRow, { kind, number }: ClientOperation): PushRow | undefined {
  const link = { push: 0 };
  switch (kind) {
    case 'view': {
      const isTurn = number === undefined || number === row.used + 1;
      return isTurn && decide(row, link, [], asBuilt) === 'claimed'
        ? count(row, [link], row, asBuilt)
        : undefined;
    }
    case 'ended':
      return decide(row, link, [], asBuilt) === 'expired' ? row : undefined;
    case 'delete':
      return end(row, 'deleted');
    case 'time':
      return { ...row, isTimeOver: true };
  }
}

/** A push whose time is over may be swept already, or not yet. */
function isDone(row: PushRow, rest: readonly ClientOperation[], outcome: Outcome): boolean {
  const isSweepable = row.end === null && row.isTimeOver;
  return (
    !rest.some(({ isCertain }) => isCertain) &&
    row.used === outcome.used &&
    row.used === (outcome.reported ?? row.used) &&
    (row.end === 'deleted') === outcome.isDeleted &&
    (isSweepable || row.hasPayload === outcome.hasPayload)
  );
}

const textOf = ({ name, kind, number }: ClientOperation): string =>
  kind === 'view' && number !== undefined ? `${name} (view ${number})` : `${name} (${kind})`;
