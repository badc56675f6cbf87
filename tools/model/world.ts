import { at, type Decision, type Link, type PushRow } from './push.ts';

/** One request of a requester. Requests of the same requester are retries, or a double click. */
type RequestPlan = Link & {
  /** Who sends it: a person with a browser, or a program. */
  requester: string;
  /** The process that it reaches. */
  process: number;
  /** What a page sends, and a program as its `Idempotency-Key`, if it has one. */
  nonce?: string;
  /** Whether the nonce is such a key. Its copy is looked for before a claim. */
  isKey?: true;
  /** Which request it repeats, and when: once that ended without an answer, or at any time after it was sent. */
  repeats?: { request: number; once: 'unanswered' | 'sent' };
};

/** What else happens to a push, at most once each. */
export type EventPlan =
  | { kind: 'delete' | 'time' | 'sweep'; push: number }
  | { kind: 'invite'; push: number; viewsMax: number }
  | { kind: 'link'; push: number; recipient: number }
  | { kind: 'minute' };

/** How often each fault may strike. `cut`: the connection to the database. */
type Faults = { crashes: number; cuts: number; lostCommits: number; hangUps: number };

/** A small world: what it begins with, and all that may happen in it, in any order. */
export type Scenario = {
  name: string;
  pushes: PushRow[];
  requests: RequestPlan[];
  events?: EventPlan[];
  faults?: Partial<Faults>;
};

/** What a client got. `unanswered`: nothing, or 503; it cannot know whether its view was counted. */
type Answer =
  | { kind: 'secret'; view: number }
  | { kind: 'ended' | 'reserved' | 'not found' | 'conflict' | 'unanswered' };

/** How far a request is. `single`: its group has failed, so it is claimed without one. `alone`: it waits for the lock. */
export type RequestState = {
  stage: 'unsent' | 'waiting' | 'single' | 'alone' | 'running' | 'repeating' | 'over';
  answer: Answer | null;
  /** Whether the process knows that the client is gone. */
  isKnownGone: boolean;
  /** Whether it was sent after the push was deleted, or its time or the minute of its copy was over. */
  isLate: boolean;
};

/** What a transaction does next. `finish` does what a wrong variant writes after COMMIT. */
export type Step = 'read' | 'lock' | 'decide' | 'count' | 'record' | 'notify' | 'commit' | 'finish' | 'give';

/** A transaction of a claim, known by the first of its requests. Until COMMIT, what it writes is here alone. */
export type Transaction = {
  process: number;
  requests: number[];
  isWaiting: boolean;
  step: Step;
  /** The pushes as they were read; null for those that are locked by others. */
  read: (PushRow | null)[];
  /** The nonces that were found to be used. */
  spent: string[];
  decisions: Decision[];
  /** What the rows become, by the number of the push. */
  written: (PushRow | null)[];
};

/** A committed audit row. A view is known by the request that claimed it. */
export type ViewRow = Link & { request: number };

/** A committed row of `spent_nonces`. `hasCopy`: for a minute. */
type NonceRow = { nonce: string; push: number; view: number; hasCopy: boolean };

/** Everything, at one moment. What the database holds is committed. */
export type World = {
  pushes: PushRow[];
  /** Which transaction has locked each push. */
  locks: (number | null)[];
  views: ViewRow[];
  /** How many views the notices of each push report. */
  notices: number[];
  nonces: NonceRow[];
  requests: RequestState[];
  transactions: Transaction[];
  /** Which events have happened. */
  happened: boolean[];
  faults: Faults;
  isFaultless: boolean;
  /** What a step did that no state shows. */
  broken: string[];
};

/** A step: what happens, as a sentence, and the world after it. */
export type Successor = { sentence: string; world: World };

export function begin({ pushes, requests, events = [], faults = {} }: Scenario): World {
  return {
    pushes,
    locks: pushes.map(() => null),
    views: [],
    notices: pushes.map(() => 0),
    nonces: [],
    requests: requests.map(() => ({ stage: 'unsent', answer: null, isKnownGone: false, isLate: false })),
    transactions: [],
    happened: events.map(() => false),
    faults: { crashes: 0, cuts: 0, lostCommits: 0, hangUps: 0, ...faults },
    isFaultless: true,
    broken: [],
  };
}

/** A copy of a world with a change. */
export function after(world: World, sentence: string, change: (next: World) => void): Successor {
  const next = JSON.parse(JSON.stringify(world)) as World;
  change(next);
  return { sentence, world: next };
}

/** Whether a push may be opened no more, not even from a copy. */
export const isOver = ({ end, isTimeOver }: PushRow): boolean => end === 'deleted' || isTimeOver;

/** The name of a request in sentences. */
export function nameOf({ requests }: Scenario, request: number): string {
  const { requester, nonce, isKey } = at(requests, request);
  return `${nonce === undefined || isKey ? 'program' : 'page'} ${requester}`;
}

/** Names as a sentence lists them. */
export function listOf(scenario: Scenario, requests: readonly number[]): string {
  return requests.map((request) => nameOf(scenario, request)).join(' and ');
}
