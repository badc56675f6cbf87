import { at, count, type Decision, decide } from './push.ts';
import type { Rules } from './rules.ts';
import {
  after,
  nameOf,
  type Scenario,
  type Step,
  type Successor,
  type Transaction,
  type World,
} from './world.ts';

/** A transaction of a claim in a world, at its next step. `index` is its place. */
export type Running = { scenario: Scenario; rules: Rules; world: World; tx: Transaction; index: number };

const idOf = (tx: Transaction) => at(tx.requests, 0);

/** The transaction in a copy of its world. */
const copyOf = (next: World, { index }: Running): Transaction => at(next.transactions, index);

/** Goes on to a step. */
function step(running: Running, to: Step, sentence: string, change: (next: World, tx: Transaction) => void) {
  const prefix = `Process ${running.tx.process}`;
  return after(running.world, `${prefix} ${sentence}`, (next) => {
    const tx = copyOf(next, running);
    tx.step = to;
    change(next, tx);
  });
}

/** Only a wrong variant decides by what it read before the lock. */
export function read(running: Running): Successor {
  return step(running, 'lock', 'reads the pushes, without a lock.', (next, tx) =>
    readRows(next, tx, running),
  );
}

function readRows(next: World, tx: Transaction, { scenario }: Running): void {
  const wanted = tx.requests.map((request) => at(scenario.requests, request));
  tx.read = next.pushes.map((row, push) => (wanted.some((plan) => plan.push === push) ? row : null));
  const nonces = wanted.map(({ nonce }) => nonce);
  tx.spent = next.nonces.map(({ nonce }) => nonce).filter((nonce) => nonces.includes(nonce));
}

/** Step 1. A group skips what others have locked; a request alone waits. Then the nonces are read. */
export function lock(running: Running): Successor | undefined {
  const { scenario, rules, world, tx } = running;
  const pushes = tx.requests.map((request) => at(scenario.requests, request).push);
  const isTaken = (push: number) => rules.locks && at(world.locks, push) !== null;
  if (tx.isWaiting && pushes.some(isTaken)) return undefined;
  const skipped = pushes.filter(isTaken);
  const found = skipped.length > 0 ? 'skips a push that is locked' : 'locks and reads the pushes';
  return step(running, 'decide', rules.locks ? `${found}.` : 'reads the pushes.', (next, tx) => {
    if (rules.readsUnderLock) readRows(next, tx, running);
    for (const push of pushes) {
      if (isTaken(push)) tx.read[push] = null;
      else if (rules.locks) next.locks[push] = idOf(tx);
    }
  });
}

/** Step 2: each request after those before it. The secret of a view is now in the memory of the process. */
export function decideAll(running: Running): Successor {
  const { scenario, rules, world, tx } = running;
  const decisions: Decision[] = [];
  for (const request of tx.requests) {
    const plan = at(scenario.requests, request);
    const before = tx.requests.filter((_, place) => decisions[place] === 'claimed');
    const earlier = before.map((other) => at(scenario.requests, other));
    const row = at(tx.read, plan.push);
    const isSpent = plan.nonce !== undefined && tx.spent.includes(plan.nonce);
    const isTwice = plan.nonce !== undefined && earlier.some(({ nonce }) => nonce === plan.nonce);
    const ofPush = earlier.filter(({ push }) => push === plan.push);
    if (at(world.requests, request).isKnownGone) decisions.push('gone');
    else if (row === null) decisions.push('skipped');
    else if (rules.findsNonces && (isSpent || isTwice)) decisions.push('repeated');
    // the clock is that of the statement which locked the row
    else decisions.push(decide(row, plan, ofPush, rules));
  }
  const texts = tx.requests.map((request, place) => `${nameOf(scenario, request)}: ${decisions[place]}`);
  const isView = decisions.includes('claimed');
  return step(running, isView ? 'count' : 'commit', `decides: ${texts.join(', ')}.`, (_, tx) => {
    tx.decisions = decisions;
  });
}

/** The requests that get a view. */
export const viewsOf = ({ requests, decisions }: Transaction): number[] =>
  requests.filter((_, place) => decisions[place] === 'claimed');

/** Steps 3 and 4. An UPDATE locks its rows by itself, so it waits for others that have. */
export function countAll(running: Running): Successor | undefined {
  const { scenario, rules, world, tx } = running;
  const views = viewsOf(tx).map((request) => at(scenario.requests, request));
  const pushes = [...new Set(views.map(({ push }) => push))];
  if (pushes.some((push) => ![null, idOf(tx)].includes(at(world.locks, push)))) return undefined;
  const written = world.pushes.map((row, push) => {
    const ofPush = views.filter((view) => view.push === push);
    const read = at(tx.read, push);
    return ofPush.length === 0 || read === null ? null : count(row, ofPush, read, rules);
  });
  if (written.includes(undefined))
    return fail(running, 'finds that the push has changed since it was read, and rolls back.', true);
  const numbers = views.length === 1 ? 'the view' : `${views.length} views`;
  return step(running, 'record', `counts ${numbers}, and erases after the last one.`, (next, tx) => {
    tx.written = written.map((row) => row ?? null);
    for (const push of pushes) next.locks[push] = idOf(tx);
    if (rules.notifies === 'before') notify(next, running);
  });
}

/** Step 5. The primary key refuses a nonce that is there, and waits for a transaction that has just written it. */
export function recordAll(running: Running): Successor | undefined {
  const { scenario, rules, world, tx } = running;
  const noncesOf = (one: Transaction) =>
    viewsOf(one).flatMap((request) => at(scenario.requests, request).nonce ?? []);
  const nonces = noncesOf(tx);
  if (rules.refusesSpentNonces && rules.spendsNonces === 'inside') {
    const writers = world.transactions.filter(({ step }) => step === 'notify' || step === 'commit');
    if (writers.some((writer) => noncesOf(writer).some((nonce) => nonces.includes(nonce)))) return undefined;
    const isThere =
      new Set(nonces).size < nonces.length || world.nonces.some(({ nonce }) => nonces.includes(nonce));
    if (isThere) return fail(running, 'finds that the nonce was used, and rolls back.', true);
  }
  return step(running, 'notify', 'writes the audit rows and the nonces.', () => {});
}

/** Step 6. */
export function notifyAll(running: Running): Successor {
  const { rules } = running;
  const text = rules.notifies === 'inside' ? 'writes the notices' : 'writes no notice';
  const early = rules.givesAfterCommit ? '' : ', and answers at once';
  return step(running, 'commit', `${text}${early}.`, (next, tx) => {
    if (rules.givesAfterCommit) return;
    for (const request of viewsOf(tx)) answer(next, request, { kind: 'secret', view: request });
  });
}

/** Answers, unless the client has left. */
export function answer(next: World, request: number, given: World['requests'][number]['answer']): void {
  const state = at(next.requests, request);
  state.stage = 'over';
  state.answer ??= given;
}

/** What reports views, in the moment in which it is committed. */
export function notify(next: World, { scenario, tx }: Running): void {
  for (const request of viewsOf(tx)) {
    const { push } = at(scenario.requests, request);
    next.notices[push] = at(next.notices, push) + 1;
  }
}

/** Ends a transaction: its locks are free. */
export function release(next: World, running: Running): void {
  const id = idOf(running.tx);
  next.locks = next.locks.map((holder) => (holder === id ? null : holder));
  next.transactions.splice(running.index, 1);
}

/**
 * Nothing was committed, and the process knows. Each request of a group is tried alone; a single one again if others had
 * changed what it read, and otherwise it is refused.
 */
export function fail(running: Running, sentence: string, isContention: boolean): Successor {
  const { tx, world } = running;
  return after(world, `Process ${tx.process} ${sentence}`, (next) => {
    release(next, running);
    for (const request of tx.requests) {
      const state = at(next.requests, request);
      if (isContention || tx.requests.length > 1) state.stage = tx.isWaiting ? 'alone' : 'single';
      else answer(next, request, { kind: 'unanswered' });
    }
  });
}
