import { expect } from 'chai';
import { type ClientOperation, linearise } from './linearise.ts';
import { at } from './push.ts';
import { asBuilt, type Rules } from './rules.ts';
import { scenarios } from './scenarios.ts';
import { successors } from './successors.ts';
import { begin, type Scenario, type World } from './world.ts';

/** Worlds of programs that use the push's own link alone, as those are that the history records. */
const recordable = scenarios.filter(
  ({ pushes, requests, events = [] }) =>
    pushes.length === 1 &&
    events.length === 0 &&
    requests.every(({ nonce, recipient }) => nonce === undefined && recipient === undefined),
);

/** Numbers from 0 to 1 that look random, the same ones for the same seed. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Lets anything happen until nothing can, and records what clients saw and when, by the number of the step. */
function walk(scenario: Scenario, rules: Rules, random: () => number) {
  const from: number[] = [];
  const to: number[] = [];
  let world = begin(scenario);
  for (let step = 0; ; step++) {
    world.requests.forEach(({ stage, answer }, request) => {
      if (stage !== 'unsent') from[request] ??= step;
      if (answer !== null) to[request] ??= step;
    });
    const next = successors(scenario, rules, world);
    if (next.length === 0 || step === 500) break;
    world = at(next, Math.floor(random() * next.length)).world;
  }
  const operations = world.requests.flatMap((_, request) => toOperation(world, request, { from, to }));
  const row = at(world.pushes, 0);
  const outcome = { used: row.used, hasPayload: row.hasPayload, isDeleted: row.end === 'deleted' };
  return linearise(at(scenario.pushes, 0), operations, outcome);
}

function toOperation(
  { requests, views }: World,
  request: number,
  times: Record<'from' | 'to', number[]>,
): ClientOperation[] {
  const { answer } = at(requests, request);
  const place = views.findIndex((view) => view.request === request);
  const isView = answer?.kind === 'secret' || (answer?.kind === 'unanswered' && place >= 0);
  if (!isView && answer?.kind !== 'ended') return [];
  const to = answer.kind === 'unanswered' ? Number.POSITIVE_INFINITY : at(times.to, request);
  const kind = isView ? 'view' : 'ended';
  const number = place < 0 ? undefined : place + 1;
  return [{ name: `request ${request}`, kind, from: at(times.from, request), to, isCertain: true, number }];
}

/** How many of many runs no order explains. */
function countUnexplained(rules: Rules, runs = 80): number {
  const random = numbersOf(1);
  const all = recordable.flatMap((scenario) =>
    Array.from({ length: runs }, () => walk(scenario, rules, random)),
  );
  return all.filter(({ isExplained }) => !isExplained).length;
}

describe('The search for an order of what clients saw', () => {
  it('explains whatever the claim does in runs of the model with every fault', () => {
    expect(recordable).to.have.length.of.at.least(4);
    expect(countUnexplained(asBuilt)).to.equal(0);
  });

  const visible: Record<string, Partial<Rules>> = {
    'neither a lock nor a guard': { locks: false, guardsUpdate: false },
    'an answer before COMMIT': { givesAfterCommit: false },
    'an unconfirmed COMMIT taken for a success': { whenUnknown: 'give' },
    'an unconfirmed COMMIT that is tried again': { whenUnknown: 'retry' },
    'a payload that is erased too late': { erases: 'after' },
  };
  for (const [name, change] of Object.entries(visible))
    it(`does not explain all runs of a claim with ${name}`, () => {
      expect(countUnexplained({ ...asBuilt, ...change })).to.be.greaterThan(0);
    });
});
