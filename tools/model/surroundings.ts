import { spend } from './commit.ts';
import { at, end } from './push.ts';
import type { Rules } from './rules.ts';
import { answer } from './transaction.ts';
import {
  after,
  type EventPlan,
  isOver,
  nameOf,
  type RequestState,
  type Scenario,
  type Successor,
  type World,
} from './world.ts';

const inProcess: RequestState['stage'][] = ['waiting', 'single', 'alone', 'running', 'repeating'];

/** Requests that may be sent now. */
export function send(scenario: Scenario, world: World): Successor[] {
  return scenario.requests.flatMap(({ push, process, nonce, isKey, repeats }, request) => {
    if (at(world.requests, request).stage !== 'unsent') return [];
    const first = repeats && at(world.requests, repeats.request);
    if (first && repeats.once === 'sent' && first.stage === 'unsent') return [];
    if (first && repeats.once === 'unanswered' && first.answer?.kind !== 'unanswered') return [];
    const again = repeats ? ' again' : '';
    return after(world, `${nameOf(scenario, request)} asks process ${process}${again}.`, (next) => {
      const copy = next.nonces.find((one) => one.nonce === nonce);
      const isLate = isOver(at(next.pushes, push)) || (copy !== undefined && !copy.hasCopy);
      const isFound = isKey === true && copy !== undefined && !isLate;
      const stage = isFound ? 'repeating' : 'waiting';
      next.requests[request] = { ...at(next.requests, request), stage, isLate };
    });
  });
}

/** Clients hang up, and their process may or may not notice in time. */
export function hangUp(scenario: Scenario, world: World): Successor[] {
  return world.requests.flatMap((state, request) => {
    if (!inProcess.includes(state.stage) || state.isKnownGone) return [];
    const name = nameOf(scenario, request);
    if (state.answer?.kind === 'unanswered')
      return after(world, `Its process notices that ${name} is gone.`, (next) => {
        at(next.requests, request).isKnownGone = true;
      });
    if (state.answer !== null || world.faults.hangUps === 0) return [];
    const left = after(world, `${name} hangs up.`, (next) => {
      at(next.requests, request).answer = { kind: 'unanswered' };
    });
    return spend(left, 'hangUps');
  });
}

/** A process dies: what it had not committed is rolled back, and its clients get no answer. It starts again at once. */
export function crash(scenario: Scenario, world: World): Successor[] {
  if (world.faults.crashes === 0) return [];
  const busy = world.requests.flatMap(({ stage }, request) =>
    inProcess.includes(stage) ? at(scenario.requests, request).process : [],
  );
  return [...new Set([...busy, ...world.transactions.map(({ process }) => process)])].map((process) => {
    const crashed = after(world, `Process ${process} crashes.`, (next) => {
      const ended = next.transactions.filter((tx) => tx.process === process);
      next.transactions = next.transactions.filter((tx) => tx.process !== process);
      const ids = ended.map(({ requests }) => at(requests, 0));
      next.locks = next.locks.map((holder) => (holder !== null && ids.includes(holder) ? null : holder));
      next.requests.forEach(({ stage }, request) => {
        if (at(scenario.requests, request).process === process && inProcess.includes(stage))
          answer(next, request, { kind: 'unanswered' });
      });
    });
    return spend(crashed, 'crashes');
  });
}

/** Whoever sees the view again, in a statement of its own: `maybeViewAgain` in `reveal.ts`. */
export function repeat(scenario: Scenario, rules: Rules, world: World): Successor[] {
  return world.requests.flatMap(({ stage, answer: given }, request) => {
    if (stage !== 'repeating') return [];
    const { push, nonce, requester } = at(scenario.requests, request);
    const own = world.nonces.find((copy) => copy.nonce === nonce);
    const copy = own ?? world.nonces.find((other) => !rules.bindsCopies && other.push === push);
    const isOfPush = copy?.push === push || !rules.bindsCopiesToPushes;
    const isOwn = copy !== undefined && at(scenario.requests, copy.view).requester === requester && isOfPush;
    const isShown = copy && (copy.hasCopy || !rules.limitsCopies) && (isOwn || !rules.bindsCopies);
    const name = nameOf(scenario, request);
    const shown = isShown ? 'gets the copy of the view' : 'is told that the view was claimed';
    return after(world, `${name} ${shown}.`, (next) => {
      answer(next, request, isShown ? { kind: 'secret', view: copy.view } : { kind: 'conflict' });
      if (given === null && isOwn && own?.hasCopy && !isShown) next.broken.push(`${name} lost its view`);
    });
  });
}

/** What happens besides claims. Each waits for the rows that it locks. */
export function happen(scenario: Scenario, world: World): Successor[] {
  return (scenario.events ?? []).flatMap((event, index) => {
    if (at(world.happened, index) || !mayHappen(event, scenario, world)) return [];
    return after(world, sentenceOf(event), (next) => {
      next.happened[index] = true;
      applyEvent(event, next);
    });
  });
}

function mayHappen(event: EventPlan, scenario: Scenario, world: World): boolean {
  if (event.kind === 'minute') return world.nonces.some(({ hasCopy }) => hasCopy);
  const row = at(world.pushes, event.push);
  const holder = at(world.locks, event.push);
  if (event.kind === 'time') return true;
  if (event.kind === 'link') {
    const tx = world.transactions.find(({ requests }) => requests[0] === holder);
    const locked = tx?.requests.map((request) => at(scenario.requests, request).recipient) ?? [];
    const recipient = at(row.recipients, event.recipient);
    return row.end === null && recipient.used < recipient.viewsMax && !locked.includes(event.recipient);
  }
  const isRoom = event.kind !== 'invite' || row.used + row.reserved + event.viewsMax <= row.viewsMax;
  const isWaiting = event.kind === 'sweep' && !row.isTimeOver;
  return holder === null && row.end === null && isRoom && !isWaiting;
}

function applyEvent(event: EventPlan, next: World): void {
  if (event.kind === 'minute') {
    for (const copy of next.nonces) copy.hasCopy = false;
    return;
  }
  const row = at(next.pushes, event.push);
  if (event.kind === 'time') row.isTimeOver = true;
  if (event.kind === 'delete') next.pushes[event.push] = end(row, 'deleted');
  if (event.kind === 'sweep') next.pushes[event.push] = end(row, 'time');
  if (event.kind === 'invite') {
    row.reserved += event.viewsMax;
    row.recipients.push({ viewsMax: event.viewsMax, used: 0, isBound: false, link: 0, isLinkUsed: false });
  }
  if (event.kind === 'link') {
    const recipient = at(row.recipients, event.recipient);
    recipient.link += 1;
    recipient.isLinkUsed = false;
  }
}

function sentenceOf(event: EventPlan): string {
  switch (event.kind) {
    case 'minute':
      return 'A minute passes, and the copies are erased.';
    case 'delete':
      return `Push ${event.push} is deleted.`;
    case 'time':
      return `The time of push ${event.push} is over.`;
    case 'sweep':
      return `A sweep erases push ${event.push}.`;
    case 'invite':
      return `The owner of push ${event.push} reserves a view for a further recipient.`;
    case 'link':
      return `Recipient ${event.recipient} of push ${event.push} asks for a new link, which replaces theirs.`;
  }
}
