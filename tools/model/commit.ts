import { at, type Decision, type PushRow } from './push.ts';
import { answer, fail, notify, type Running, release, viewsOf } from './transaction.ts';
import { after, isOver, listOf, type Successor, type World } from './world.ts';

/** Step 7, and what may go wrong with it. Nothing may come between the question who is gone, and COMMIT. */
export function commit(running: Running): Successor[] {
  const { scenario, rules, world, tx } = running;
  const gone = viewsOf(tx).filter((request) => at(world.requests, request).isKnownGone);
  const found: Successor[] = [];
  if (gone.length > 0 && rules.asksWhoIsGone) {
    const sentence = `sees that ${listOf(scenario, gone)} has gone, and begins again without it.`;
    found.push(fail(running, sentence, true));
  } else {
    found.push(committed(running, 'commits.', (next) => proceed(next, running)));
    if (world.faults.lostCommits > 0) found.push(...lostCommits(running));
  }
  if (world.faults.cuts > 0)
    found.push(spend(fail(running, 'loses the connection before it sends COMMIT.', false), 'cuts'));
  return found;
}

/** The reply to COMMIT is lost, or COMMIT itself. The process cannot tell which. */
function lostCommits(running: Running): Successor[] {
  const { tx, world } = running;
  const done = committed(running, 'sends COMMIT, which is done, but the reply is lost.', (next) =>
    proceedUnknown(next, running),
  );
  const undone = after(
    world,
    `Process ${tx.process} sends COMMIT, which never arrives; it sees the same as if the reply were lost.`,
    (next) => {
      const id = at(tx.requests, 0);
      next.locks = next.locks.map((holder) => (holder === id ? null : holder));
      proceedUnknown(next, running);
    },
  );
  return [done, undone].map((successor) => spend(successor, 'lostCommits'));
}

function committed(running: Running, sentence: string, then: (next: World) => void): Successor {
  const { rules, tx, world } = running;
  return after(world, `Process ${tx.process} ${sentence}`, (next) => {
    const id = at(tx.requests, 0);
    next.pushes = next.pushes.map((row, push) => written(row, at(tx.written, push), running, push));
    if (rules.audits === 'inside') audit(next, running);
    if (rules.spendsNonces === 'inside') spendNonces(next, running);
    if (rules.notifies === 'inside') notify(next, running);
    next.locks = next.locks.map((holder) => (holder === id ? null : holder));
    for (const request of viewsOf(tx))
      if (at(world.requests, request).isKnownGone)
        next.broken.push('a view is counted for a client that is known to be gone');
    for (const [push, row] of tx.written.entries())
      if (row?.isTimeOver) next.broken.push(`a view of push ${push} is counted after its end`);
    then(next);
  });
}

/** A row with what the transaction changed in it. Time has no column, and links of others may have been replaced. */
function written(row: PushRow, change: PushRow | null, { scenario, tx }: Running, push: number): PushRow {
  if (change === null) return row;
  const used = viewsOf(tx).map((request) => at(scenario.requests, request));
  const isUsed = (index: number) => used.some((view) => view.push === push && view.recipient === index);
  const recipients = row.recipients.map((recipient, index) =>
    isUsed(index) ? at(change.recipients, index) : recipient,
  );
  return { ...change, isTimeOver: row.isTimeOver, recipients };
}

function proceed(next: World, running: Running): void {
  const { rules } = running;
  const isLate = [rules.erases, rules.audits, rules.spendsNonces, rules.notifies].includes('after');
  at(next.transactions, running.index).step = isLate ? 'finish' : 'give';
}

function proceedUnknown(next: World, running: Running): void {
  const { rules, tx } = running;
  if (rules.whenUnknown === 'give') {
    proceed(next, running);
    return;
  }
  release(next, running);
  for (const request of tx.requests) {
    if (rules.whenUnknown === 'retry') at(next.requests, request).stage = tx.isWaiting ? 'alone' : 'single';
    else answer(next, request, { kind: 'unanswered' });
  }
}

/** What a wrong variant writes in a transaction of its own. */
export function finish(running: Running): Successor {
  const { scenario, rules, world, tx } = running;
  return after(world, `Process ${tx.process} writes the rest in another transaction.`, (next) => {
    at(next.transactions, running.index).step = 'give';
    for (const request of viewsOf(tx)) {
      const row = at(next.pushes, at(scenario.requests, request).push);
      if (rules.erases === 'after' && row.end === 'views') row.hasPayload = false;
    }
    if (rules.audits === 'after') audit(next, running);
    if (rules.spendsNonces === 'after') spendNonces(next, running);
    if (rules.notifies === 'after') notify(next, running);
  });
}

function audit(next: World, { scenario, tx }: Running): void {
  for (const request of viewsOf(tx)) {
    const { push, recipient, version } = at(scenario.requests, request);
    next.views.push({ push, ...(recipient !== undefined && { recipient, version: version ?? 0 }), request });
  }
}

function spendNonces(next: World, { scenario, tx }: Running): void {
  for (const request of viewsOf(tx)) {
    const { push, nonce } = at(scenario.requests, request);
    if (nonce !== undefined) next.nonces.push({ nonce, push, view: request, hasCopy: true });
  }
}

/** After step 7: each gets what was decided. */
export function give(running: Running): Successor {
  const { scenario, world, tx } = running;
  return after(world, `Process ${tx.process} answers ${listOf(scenario, tx.requests)}.`, (next) => {
    next.transactions.splice(running.index, 1);
    tx.requests.forEach((request, place) => {
      giveOne(next, request, at(tx.decisions, place), running);
    });
  });
}

function giveOne(next: World, request: number, decision: Decision, { scenario, rules, tx }: Running): void {
  const { push, nonce } = at(scenario.requests, request);
  const row = at(tx.read, push);
  const isHidden = rules.hidesEndedCopies && row !== null && isOver(row);
  const hasOther = nonce !== undefined && next.nonces.some((copy) => copy.push === push && copy.hasCopy);
  if (decision === 'skipped') at(next.requests, request).stage = 'alone';
  else if (decision === 'repeated' && !isHidden) at(next.requests, request).stage = 'repeating';
  else if (decision === 'expired' && !rules.bindsCopies && hasOther)
    at(next.requests, request).stage = 'repeating';
  else if (decision === 'claimed') answer(next, request, { kind: 'secret', view: request });
  else answer(next, request, { kind: kinds[decision] });
}

const kinds = {
  expired: 'ended',
  reserved: 'reserved',
  unknown: 'not found',
  repeated: 'conflict',
  gone: 'unanswered',
} as const;

/** A fault strikes once less. */
export function spend({ sentence, world }: Successor, fault: keyof World['faults']): Successor {
  world.faults[fault] -= 1;
  world.isFaultless = false;
  return { sentence, world };
}
