import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceDatabase,
} from '../../../../test/harness/process.ts';
import { untilLater } from '../../../../test/harness/until.ts';
import type { Experiment, Outcome, ProveOptions } from '../../experiment.ts';
import { openTestedDatabase } from '../../history/databases.ts';
import { judge } from './judge.ts';
import { play } from './scenes.ts';
import { type StoryStage, stages } from './stages.ts';
import { heading, type Remark, transcriptOf, windowText } from './transcript.ts';

/** Plays one story over each connection of each chat, and prints what people read. */
export const story: Experiment = {
  claim: 'people read one clear story in chats, in order, whatever happens meanwhile',
  run,
};

async function run({ database, only }: ProveOptions): Promise<Outcome> {
  const figures: Record<string, string> = {};
  const failures: string[] = [];
  for (const [name, start] of Object.entries(stages)) {
    if (only !== undefined && only !== name) continue;
    const tested = await openTestedDatabase(database);
    const shared = newSharedSettings(tested.urls[0] ?? '');
    const store = openServiceDatabase(shared);
    // The strangers come through a proxy, each from a network of their own.
    const stage = await start({ ...shared, RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' });
    try {
      const told = await tell(stage, store);
      console.log(`\n# ${name}\n${told.transcript}`);
      figures[name] = told.figure;
      failures.push(...told.failures.map((failure) => `${name}: ${failure}`));
    } finally {
      await stage.stop();
      await store.close();
      await tested.close();
    }
  }
  return { figures, failures };
}

async function tell(stage: StoryStage, store: ServiceDatabase) {
  const remarks: Remark[] = [];
  const failures: string[] = [];
  const remark = (text: string) => void remarks.push({ before: stage.timeline().length, text });
  await play({
    ...stage,
    scene: (title) => remark(heading(title)),
    note(reader, text) {
      if (stage.timeline().at(-1)?.text !== text) remark(windowText(reader, text)); // no message
    },
    check: (claim, holds) => void (holds || failures.push(`not so: ${claim}`)),
    expireFirst: () => expireFirst(store),
  }).catch((error: Error) => void failures.push(`the story broke off: ${error.stack}`));
  await untilLater(async () => (await waitingNotices(store)) === 0);
  try {
    stage.verify();
  } catch (error) {
    failures.push(String(error));
  }
  const timeline = stage.timeline();
  failures.push(...judge(timeline));
  const posted = timeline.filter(({ how }) => how === 'posted').length;
  return {
    transcript: transcriptOf(timeline, remarks),
    figure: `${posted} messages, ${timeline.length - posted} edits`,
    failures,
  };
}

async function expireFirst({ database: { execute, dialect } }: ServiceDatabase): Promise<void> {
  const oldest = 'SELECT id FROM (SELECT id FROM pushes ORDER BY created_at LIMIT 1) AS oldest';
  await execute(
    `UPDATE pushes SET expires_at = ${dialect.now}, due_at = ${dialect.now} WHERE id = (${oldest})`,
    {},
  );
}

async function waitingNotices({ database: { select } }: ServiceDatabase): Promise<number> {
  const [row] = await select<{ count: number }>(
    'SELECT COUNT(*) AS count FROM notices WHERE ended_at IS NULL',
    {},
  );
  return Number(row?.count);
}
