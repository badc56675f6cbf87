import { setTimeout as sleep } from 'node:timers/promises';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceDatabase,
} from '../../../test/harness/process.ts';
import { summary } from '../../bench/latencies.ts';
import { markdownTable } from '../../bench/report.ts';
import type { Experiment, Outcome, ProveOptions } from '../experiment.ts';
import { openTestedDatabase, type TestedDatabase } from '../history/databases.ts';
import { type Act, type Bot, bots } from './bots.ts';

const acts = 300;
const users = 6;
const pausedMs = 1_500;
const runningMs = 1_500;
/** Of the forms that are submitted while the database pauses for less than two seconds. */
const givenUpMax = 0.1;
const settledWithinMs = 60_000;

type Row = Record<string, string | number>;
type During = (work: () => Promise<void>) => Promise<void>;

/** Lets users work while the database runs, pauses again and again, and is away, over each connection of each chat. */
export const acknowledgements: Experiment = {
  claim:
    'chats are acknowledged as soon as they need it, whatever the database does, and create nothing unnoticed',
  run,
};

async function run({ database, only }: ProveOptions): Promise<Outcome> {
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const [chat, start] of Object.entries(bots)) {
    if (only !== undefined && only !== chat) continue;
    const tested = await openTestedDatabase(database);
    const shared = newSharedSettings(tested.urls[0] ?? '');
    const store = openServiceDatabase(shared);
    const bot = await start(shared);
    try {
      for (const [state, during] of Object.entries(statesOf(tested))) {
        const found = await measure(bot, store, { during, mayGiveUp: state === 'away' });
        rows.push({ chat, database: state, ...found.row });
        failures.push(...found.failures.map((failure) => `${chat}, database ${state}: ${failure}`));
        console.log(markdownTable(rows.slice(-1)));
      }
    } finally {
      await bot.stop();
      await store.close();
      await tested.close();
    }
  }
  console.log(`\n${markdownTable(rows)}`);
  return { figures: {}, failures };
}

/** What can happen to the database meanwhile. SQLite has no server that could pause. */
function statesOf({ nodes }: TestedDatabase): Record<string, During> {
  const running: Record<string, During> = { running: (work) => work() };
  if (nodes.length === 0) return running;
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const { pid } of nodes) process.kill(pid, name);
  };
  return {
    ...running,
    async 'paused for 1.5 of every 3 s'(work) {
      const ending = new AbortController();
      const pausing = pauseAgainAndAgain(signal, ending.signal);
      await work().finally(() => ending.abort());
      await pausing;
    },
    async away(work) {
      for (const node of nodes) await node.kill9();
      await work();
      for (const node of nodes) await node.restart();
    },
  };
}

async function pauseAgainAndAgain(
  signal: (name: 'SIGSTOP' | 'SIGCONT') => void,
  ending: AbortSignal,
): Promise<void> {
  while (!ending.aborted) {
    signal('SIGSTOP');
    await sleep(pausedMs);
    signal('SIGCONT');
    await sleep(runningMs);
  }
}

async function measure(
  bot: Bot,
  store: ServiceDatabase,
  { during, mayGiveUp }: { during: During; mayGiveUp: boolean },
): Promise<{ row: Row; failures: string[] }> {
  const done: Act[] = [];
  const workOf = async (user: number) => {
    for (let turn = 0; turn < acts / users; turn++) done.push(await bot.act(user, turn));
  };
  await during(async () => {
    await Promise.all(Array.from({ length: users }, (_, user) => workOf(user)));
  });
  const unnoticed = await unnoticedPushes(bot, store);
  const acks = done.flatMap((act) => act.acks);
  const late = acks.filter(({ ms, error }) => error !== undefined || ms > bot.ackLimitMs);
  const submissions = done.flatMap(({ submission = [] }) => submission);
  const givenUp = submissions.filter((submission) => submission === 'given up').length;
  const { count, ...times } = summary(acks.map(({ ms }) => Math.round(ms)));
  const isTooMany = !mayGiveUp && givenUp > submissions.length * givenUpMax;
  return {
    row: {
      acknowledged: count,
      ...times,
      'forms given up': `${givenUp} of ${submissions.length}`,
      'pushes unnoticed': unnoticed,
    },
    failures: [
      ...(late.length > 0 ? [`${late.length} acknowledgements were late or failed: ${late[0]?.error}`] : []),
      ...(isTooMany ? [`${givenUp} of ${submissions.length} forms were given up`] : []),
      ...(unnoticed === 0 ? [] : [`${unnoticed} pushes exist that nobody was told of`]),
    ],
  };
}

/** How many pushes exist that no user was told of, once everything has settled. Negative if some do not exist. */
async function unnoticedPushes(bot: Bot, { database }: ServiceDatabase): Promise<number> {
  const difference = async () => {
    const [row] = await database
      .select<{ count: number }>('SELECT COUNT(*) AS count FROM pushes WHERE deleted = FALSE', {})
      .catch(() => []);
    return row === undefined ? Number.NaN : Number(row.count) - bot.told();
  };
  let last = await difference();
  for (let waitedMs = 0; last !== 0 && waitedMs < settledWithinMs; waitedMs += 500) {
    await sleep(500);
    last = await difference();
  }
  return last;
}
