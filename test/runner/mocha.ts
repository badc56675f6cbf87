import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLifeline } from '../harness/lifeline.ts';
import { isInterrupted } from './interruption.ts';
import type { OutputSlot } from './output.ts';
import type { Part } from './suite.ts';
import { checkTally, readTally, type Tally } from './tally.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const mocha = fileURLToPath(new URL('bin/mocha.js', import.meta.resolve('mocha/package.json')));

export type MochaOptions = {
  mochaArgs: string[];
  /** Where the process gets its temp folder. */
  folder: string;
  serverUrl: string | undefined;
  output: OutputSlot;
};

/** Runs a part of the suite in a Mocha process with a temp folder of its own. Leaves no process behind. */
export async function runMocha(
  part: Part,
  { mochaArgs, folder, serverUrl, output }: MochaOptions,
): Promise<Tally> {
  const dir = await mkdtemp(join(folder, 'hushpush-'));
  await chmod(dir, 0o711); // some tests act as another user
  const lifeline = createLifeline(dir);
  const tallyFile = join(dir, 'tally.json');
  const child = spawn(process.execPath, [mocha, ...(await argumentsOf(part, dir)), ...mochaArgs], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      TEST_DATABASE_URL: part.database === 'SQLite' ? undefined : serverUrl,
      TEST_TALLY_FILE: tallyFile,
      TMPDIR: dir,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', output.write);
  await once(child, 'spawn');
  const group = -Number(child.pid);
  lifeline.hold(group);
  const [code, signal] = await once(child, 'exit');
  if (isInterrupted()) await new Promise<never>(() => {}); // the program ends in its own way
  killLeftovers(group);
  lifeline.release();
  const tally = checkTally(await readTally(tallyFile), code ?? signal);
  await lifeline.cut();
  return tally;
}

async function argumentsOf({ spec, ignored }: Part, dir: string): Promise<string[]> {
  const config = await writeConfig(spec, dir);
  const ignore = ignored.flatMap((pattern) => ['--ignore', pattern]);
  return ['--config', config, '--reporter', 'test/harness/mochaReporter.js', ...ignore];
}

async function writeConfig(spec: string[], dir: string): Promise<string> {
  const config = JSON.parse(await readFile(join(root, '.mocharc.json'), 'utf8'));
  const file = join(dir, 'mocharc.json');
  await writeFile(file, JSON.stringify({ ...config, spec }));
  return file;
}

function killLeftovers(group: number) {
  try {
    process.kill(group, 'SIGKILL');
  } catch {}
}
