import { execFile } from 'node:child_process';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Experiment, Outcome } from '../experiment.ts';
import { copyParts, plant } from '../mutants/plant.ts';
import { type ChatMutant, chatMutants } from './mutants.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const copied = [
  ...['src', 'test', 'tools', 'migrations', 'scripts'],
  ...['package.json', 'tsconfig.json', '.mocharc.json'],
];

const kit = 'test/bots/conformance.test.ts';
const others = 'test/bots/commands/adapters.test.ts';

/** The kit of stories that every adapter is held to finds each mistake that is planted. */
export const chats: Experiment = {
  claim: 'the kit of stories finds every mistake that is planted in the adapter of a chat',
  async run({ mutant, only = '' }) {
    const folder = await mkdtemp(join(tmpdir(), 'chats-'));
    await copyParts(copied, folder);
    const all = Object.keys(chatMutants).filter((name) => name.startsWith(only));
    const names = mutant === undefined ? all : [mutant];
    const sound = await maybeFailure(folder, [kit, others]);
    if (sound !== undefined) return { figures: {}, failures: [`without a mistake: ${sound}`] };
    const found: Record<string, string> = {};
    for (const name of names) {
      const planted = chatMutants[name];
      if (planted === undefined) throw new Error(`no mutant is named ${name}`);
      found[name] = await find(folder, planted);
      console.log(`${name}: ${found[name]}`);
    }
    return outcomeOf(found);
  },
};

const unnoticed = 'NOT NOTICED';

/** The story that notices a mistake. Leaves the folder as it was. */
async function find(folder: string, { file, chat, ...edit }: ChatMutant): Promise<string> {
  const path = join('src', file);
  await plant([{ file: path, ...edit }], folder);
  try {
    const args = chat === undefined ? [others] : [kit, '-g', `The adapter of ${chat} `];
    return (await maybeFailure(folder, args)) ?? unnoticed;
  } finally {
    await cp(join(root, path), join(folder, path));
  }
}

/** The title of the first test that fails, or waits for what never comes; undefined if none does. */
function maybeFailure(folder: string, args: string[]): Promise<string | undefined> {
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
  const options = { cwd: folder, timeout: 300_000, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [mocha, '--bail', '--exit', '--timeout', '40000', ...args],
      options,
      (error, output, errors) => {
        const [, title] = /^ +1\) (.+)$/m.exec(output) ?? [];
        resolve(error === null ? undefined : (title ?? `${errors || error.message}`.trim().split('\n')[0]));
      },
    );
  });
}

function outcomeOf(found: Record<string, string>): Outcome {
  const missed = Object.entries(found).filter(([, story]) => story === unnoticed);
  return {
    figures: { mistakes: Object.keys(found).length, noticed: Object.keys(found).length - missed.length },
    failures: missed.map(([name]) => `${name} was not noticed`),
  };
}
