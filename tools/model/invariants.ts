import { at, type PushRow } from './push.ts';
import { nameOf, type Scenario, type ViewRow, type World } from './world.ts';

/** Checks one rule. Returns what breaks it, as a sentence goes on after “Now”. */
type Invariant = (scenario: Scenario, world: World) => (string | false)[];

/** What holds at every moment. */
const always: Invariant[] = [
  function stepsWereRight(_, { broken }) {
    return broken;
  },

  function givesOnlyCommittedViews(scenario, world) {
    return secrets(world).map(
      ({ request, view }) =>
        !world.views.some((row) => row.request === view) &&
        `${nameOf(scenario, request)} has the secret, and no committed view`,
    );
  },

  function givesAViewToOneRequester(scenario, world) {
    return secrets(world).map(
      ({ request, view }) =>
        requesterOf(scenario, request) !== requesterOf(scenario, view) &&
        `${nameOf(scenario, request)} has the view of ${nameOf(scenario, view)}`,
    );
  },

  function givesTheSecretOfItsPush(scenario, world) {
    const pushOf = (request: number) => at(scenario.requests, request).push;
    return secrets(world).map(
      ({ request, view }) =>
        pushOf(request) !== pushOf(view) &&
        `${nameOf(scenario, request)} asked for push ${pushOf(request)}, and has the secret of push ${pushOf(view)}`,
    );
  },

  function givesAtMostItsViews(scenario, world) {
    return world.pushes.map(({ viewsMax }, push) => {
      const given = secrets(world).filter(({ request }) => at(scenario.requests, request).push === push);
      const count = new Set(given.map(({ view }) => view)).size;
      return count > viewsMax && `push ${push} was given ${count} times, allowed ${viewsMax}`;
    });
  },

  function givesNothingLate(scenario, world) {
    return secrets(world).map(
      ({ request }) =>
        at(world.requests, request).isLate &&
        `${nameOf(scenario, request)} asked too late, and has the secret`,
    );
  },
];

/** What holds whenever no process has anything left to do, such as after a crash. */
const atRest: Invariant[] = [
  function countsEachView(_, { pushes, views, notices }) {
    return pushes.flatMap(({ used, viewsMax }, push) => {
      const rows = views.filter((view) => view.push === push).length;
      return [
        used > viewsMax && `push ${push} has counted ${used} views, allowed ${viewsMax}`,
        rows !== used && `push ${push} has counted ${used} views, with ${rows} audit rows`,
        notices[push] !== used &&
          `push ${push} has counted ${used} views, and notices report ${notices[push]}`,
      ];
    });
  },

  function erasesWithTheEnd(_, { pushes }) {
    return pushes.flatMap(({ used, viewsMax, end, hasPayload }, push) => [
      (end !== null || used >= viewsMax) && hasPayload && `push ${push} has ended, and its payload is there`,
      end === null && !hasPayload && `push ${push} is live, and its payload is gone`,
      end === 'views' && used < viewsMax && `push ${push} has ended before its last view`,
    ]);
  },

  function keepsReservations(_, { pushes, views }) {
    return pushes.flatMap((row, push) => [
      ...sums(row, push),
      ...row.recipients.flatMap((recipient, index) => {
        const own = views.filter((view) => view.push === push && view.recipient === index);
        const name = `recipient ${index} of push ${push}`;
        return [
          own.length !== recipient.used &&
            `${name} used ${recipient.used} views, with ${own.length} audit rows`,
          recipient.used > recipient.viewsMax && `${name} used more views than they have`,
          recipient.isBound && isTwice(own) && `a link of ${name} worked twice`,
        ];
      }),
    ]);
  },

  function costsOneViewEach(scenario, { views }) {
    const nameOfUse = ({ request }: ViewRow) => at(scenario.requests, request).nonce ?? `request ${request}`;
    const uses = views.map(nameOfUse);
    return views.map(
      (view, index) =>
        uses.indexOf(nameOfUse(view)) < index &&
        `${nameOf(scenario, view.request)} used two views by one request`,
    );
  },

  function spendsEachNonce(scenario, { views, nonces }) {
    return views.map(({ request }) => {
      const { nonce } = at(scenario.requests, request);
      const isSpent = nonce === undefined || nonces.some((row) => row.nonce === nonce);
      return !isSpent && `the nonce of ${nameOf(scenario, request)} has claimed a view, and is not spent`;
    });
  },

  function losesNoViewWithoutAFault(scenario, world) {
    const given = secrets(world).map(({ view }) => view);
    return world.views.map(
      ({ request }) =>
        world.isFaultless &&
        !given.includes(request) &&
        `${nameOf(scenario, request)} was counted, and nobody got the view`,
    );
  },
];

/** What holds when nothing more can happen. */
function answersEverybody(scenario: Scenario, { requests }: World): (string | false)[] {
  return requests.map(
    ({ answer, stage }, request) =>
      stage !== 'unsent' && answer === null && `${nameOf(scenario, request)} waits forever`,
  );
}

/** Views that are left are enough for those that are reserved, and these are what recipients have left. */
function sums({ used, reserved, viewsMax, recipients }: PushRow, push: number): (string | false)[] {
  const left = recipients.reduce((sum, recipient) => sum + recipient.viewsMax - recipient.used, 0);
  return [
    used + reserved > viewsMax && `push ${push} has fewer views left than are reserved`,
    reserved !== left && `push ${push} has ${reserved} views reserved, and its recipients have ${left}`,
  ];
}

const isTwice = (views: ViewRow[]) =>
  views.some(({ version }, index) => views.findIndex((view) => view.version === version) < index);

const requesterOf = (scenario: Scenario, request: number) => at(scenario.requests, request).requester;

/** Who has a secret, and by which view. */
const secrets = ({ requests }: World) =>
  requests.flatMap(({ answer }, request) =>
    answer?.kind === 'secret' ? [{ request, view: answer.view }] : [],
  );

/** What is wrong in a world, if anything. `isOver`: nothing more can happen in it. */
export function violationOf(scenario: Scenario, world: World, isOver: boolean): string | undefined {
  const isResting =
    world.transactions.length === 0 &&
    world.requests.every(({ stage }) => ['unsent', 'over'].includes(stage));
  const invariants = [...always, ...(isResting ? atRest : []), ...(isOver ? [answersEverybody] : [])];
  for (const invariant of invariants)
    for (const violation of invariant(scenario, world)) if (violation !== false) return violation;
  return undefined;
}
