import { commit, finish, give } from './commit.ts';
import { at } from './push.ts';
import type { Rules } from './rules.ts';
import { crash, hangUp, happen, repeat, send } from './surroundings.ts';
import { countAll, decideAll, lock, notifyAll, type Running, read, recordAll } from './transaction.ts';
import { after, listOf, type Scenario, type Step, type Successor, type World } from './world.ts';

/** What a process does in its own memory, or in rows that it has locked: nobody sees when. */
const unseen: Step[] = ['decide', 'record', 'notify'];

/**
 * All that may happen next. Whatever may happen at the same time happens in every order, except that steps which nobody
 * sees happen at once.
 */
export function successors(scenario: Scenario, rules: Rules, world: World): Successor[] {
  for (const [index, tx] of world.transactions.entries()) {
    const found = unseen.includes(tx.step) ? advance({ scenario, rules, world, tx, index }) : [];
    if (found.length > 0) return found;
  }
  return [
    ...send(scenario, world),
    ...start(scenario, rules, world),
    ...world.transactions.flatMap((tx, index) => advance({ scenario, rules, world, tx, index })),
    ...repeat(scenario, rules, world),
    ...happen(scenario, world),
    ...crash(scenario, world),
    ...hangUp(scenario, world),
  ];
}

/** Any requests that wait at a process may share a transaction, in any order; those that failed in one are alone. */
function start(scenario: Scenario, rules: Rules, world: World): Successor[] {
  const staged = (stage: string) =>
    world.requests.flatMap((state, request) => (state.stage === stage ? [request] : []));
  const processes = [...new Set(scenario.requests.map(({ process }) => process))];
  const groups = processes.flatMap((process) =>
    arrangements(staged('waiting').filter((request) => at(scenario.requests, request).process === process)),
  );
  const singles = [...staged('single'), ...staged('alone')].map((request) => [request]);
  return [...groups, ...singles].map((requests) => {
    const first = at(requests, 0);
    const { process } = at(scenario.requests, first);
    return after(
      world,
      `Process ${process} begins a transaction for ${listOf(scenario, requests)}.`,
      (next) => {
        next.transactions.push({
          process,
          requests,
          isWaiting: at(world.requests, first).stage === 'alone',
          step: rules.readsUnderLock ? 'lock' : 'read',
          read: world.pushes.map(() => null),
          spent: [],
          decisions: [],
          written: world.pushes.map(() => null),
        });
        for (const request of requests) at(next.requests, request).stage = 'running';
      },
    );
  });
}

/** Every selection of some items, in every order. */
function arrangements(items: number[]): number[][] {
  return items.flatMap((item) => {
    const others = items.filter((other) => other !== item);
    return [[item], ...arrangements(others).map((rest) => [item, ...rest])];
  });
}

/** The next step of a transaction; none while it waits for a lock. */
function advance(running: Running): Successor[] {
  const found = (successor: Successor | undefined) => (successor === undefined ? [] : [successor]);
  switch (running.tx.step) {
    case 'read':
      return [read(running)];
    case 'lock':
      return found(lock(running));
    case 'decide':
      return [decideAll(running)];
    case 'count':
      return found(countAll(running));
    case 'record':
      return found(recordAll(running));
    case 'notify':
      return [notifyAll(running)];
    case 'commit':
      return commit(running);
    case 'finish':
      return [finish(running)];
    case 'give':
      return [give(running)];
  }
}
