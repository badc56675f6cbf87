import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './harness/browser.ts';
import { createLifeline, cutLifelines } from './harness/lifeline.ts';
import { ensureMariadb, preferMemoryFolder, startMariadb } from './harness/mariadb.ts';

// tsx test/run.ts [--only sqlite|mariadb] [mocha arguments…]
// Runs the suite on SQLite and, at the same time, on a MariaDB of its own; the last line is "N passed, N failed".

const root = fileURLToPath(new URL('..', import.meta.url));
const mocha = fileURLToPath(new URL('bin/mocha.js', import.meta.resolve('mocha/package.json')));
type Database = 'SQLite' | 'MariaDB';

/** What a process of Mocha runs of the suite. */
type Part = { name: string; database: Database; spec: string[]; ignored: string[] };

// Mocha takes a comma for the end of a pattern, so that none has braces.

/** What knows no database. */
const anyDatabase = [
  'test/standins/**',
  'test/stores/**',
  'test/config.test.ts',
  'test/runtime/log.test.ts',
  'test/bots/*/drawing.test.ts',
  'test/cli/usage.test.ts',
  ...['crypto/cipher', 'crypto/tokens', 'database/sqlite', 'domain/frames'].map(
    (name) => `test/${name}.test.ts`,
  ),
];
/** Pages, stories and what others do wrong: it takes long, and the database is beside the point. */
const longOnes = [
  'test/browser/**/*.test.ts',
  'test/e2e/discord.test.ts',
  'test/e2e/slack.test.ts',
  'test/bots/*/trouble.test.ts',
];
const all = ['test/**/*.test.ts'];

const onSqlite: Part = { name: 'SQLite', database: 'SQLite', spec: all, ignored: longOnes };
const onMariadb: Part = {
  name: 'MariaDB',
  database: 'MariaDB',
  spec: all,
  ignored: [...longOnes, ...anyDatabase],
};
const theLongOnes: Part = {
  name: 'MariaDB, what takes long',
  database: 'MariaDB',
  spec: longOnes,
  ignored: [],
};

/** All at once: each waits for others most of its time. */
const suite = [onSqlite, onMariadb, theLongOnes];

/** What one run of Mocha came to. */
type Tally = { passed: number; failed: number; skipped: number };

type Run = { mochaArgs: string[]; serverUrl: string | undefined; turn: () => Turn };

const nothing: Tally = { passed: 0, failed: 0, skipped: 0 };

let interrupted = false;

async function main(args: string[]): Promise<Tally> {
  try {
    const { only, mochaArgs } = parse(args);
    if (only !== 'SQLite') await ensureMariadb();
    await ensureChromium();
    execFileSync(process.execPath, [join(root, 'scripts/build-if-needed.mjs')], { stdio: 'inherit' });
    const server = only === 'SQLite' ? undefined : await startMariadb({ parent: await preferMemoryFolder() });
    try {
      const run = { mochaArgs, serverUrl: server?.url, turn: createTurns() };
      const parts = partsOf(mochaArgs.filter(isTestFile)).filter(({ database }) => isWanted(database, only));
      return sum(await Promise.all(parts.map((part) => runPart(part, run))));
    } finally {
      await server?.stop();
    }
  } catch (error) {
    return blame(nothing, messageOf(error));
  }
}

function parse(args: string[]): { only: Database | undefined; mochaArgs: string[] } {
  const at = args.indexOf('--only');
  if (at < 0) return { only: undefined, mochaArgs: args };
  const only = (['SQLite', 'MariaDB'] as const).find((name) => name.toLowerCase() === args[at + 1]);
  if (!only) throw new Error('--only takes sqlite or mariadb');
  return { only, mochaArgs: args.toSpliced(at, 2) };
}

const isTestFile = (arg: string) => /\.test\.tsx?$/.test(arg);

/** Test files that are named take the place of the suite, on each database. */
function partsOf(files: string[]): Part[] {
  if (files.length === 0) return suite;
  return [onSqlite, onMariadb].map((part) => ({ ...part, spec: files, ignored: [] }));
}

const isWanted = (database: Database, only: Database | undefined) => only === undefined || database === only;

async function runPart(part: Part, run: Run): Promise<Tally> {
  const turn = run.turn();
  turn.write(`\n=== ${part.name} ===\n`);
  try {
    return await runMocha(part, run, turn);
  } catch (error) {
    return blame(nothing, messageOf(error));
  } finally {
    turn.end();
  }
}

async function runMocha({ spec, ignored, database }: Part, run: Run, turn: Turn): Promise<Tally> {
  const dir = await mkdtemp(join(tmpdir(), 'hushpush-'));
  const lifeline = createLifeline(dir);
  const tallyFile = join(dir, 'tally.json');
  const child = spawn(
    process.execPath,
    [
      mocha,
      ...['--config', await configWith(spec, dir), '--reporter', 'test/harness/mochaReporter.js'],
      ...ignored.flatMap((pattern) => ['--ignore', pattern]),
      ...run.mochaArgs.filter((arg) => !isTestFile(arg)),
    ],
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
        TEST_DATABASE_URL: database === 'SQLite' ? undefined : run.serverUrl,
        TEST_TALLY_FILE: tallyFile,
        TMPDIR: dir,
      },
    },
  );
  for (const stream of [child.stdout, child.stderr]) stream.on('data', turn.write);
  await once(child, 'spawn');
  const group = -Number(child.pid);
  lifeline.hold(group);
  const [code, signal] = await once(child, 'exit');
  if (interrupted) await forever();
  killLeftovers(group);
  lifeline.release();
  const tally = judge(await readTally(tallyFile), code ?? signal);
  await lifeline.cut();
  return tally;
}

/** Mocha adds the files it is given to the configured ones; here they replace them. */
async function configWith(spec: string[], dir: string): Promise<string> {
  const config = JSON.parse(await readFile(join(root, '.mocharc.json'), 'utf8'));
  const file = join(dir, 'mocharc.json');
  await writeFile(file, JSON.stringify({ ...config, spec }));
  return file;
}

type Turn = { write(text: string | Buffer): void; end(): void };

/** Lets one at a time print as it goes; what the others print is kept until their turn comes. */
function createTurns(): () => Turn {
  const waiting: { kept: (string | Buffer)[]; hasEnded: boolean }[] = [];
  function flush(): void {
    const [first] = waiting;
    if (first === undefined) return;
    for (const text of first.kept.splice(0)) process.stdout.write(text);
    if (!first.hasEnded) return;
    waiting.shift();
    flush();
  }
  return () => {
    const mine = { kept: [] as (string | Buffer)[], hasEnded: false };
    waiting.push(mine);
    return {
      write(text) {
        mine.kept.push(text);
        flush();
      },
      end() {
        mine.hasEnded = true;
        flush();
      },
    };
  };
}

function killLeftovers(group: number) {
  try {
    process.kill(group, 'SIGKILL');
  } catch {}
}

async function readTally(file: string): Promise<Tally | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

function judge(tally: Tally | undefined, ending: unknown): Tally {
  if (!tally) return blame(nothing, `Mocha ended (${ending}) before the suite did.`);
  if (tally.passed + tally.failed === 0) return blame(tally, 'No test ran.');
  if (tally.failed === 0 && ending !== 0)
    return blame(tally, `All tests passed, but Mocha ended with ${ending}.`);
  return tally;
}

/** What goes wrong in another way than by a failed test counts as one failure more. */
function blame(tally: Tally, reason: string): Tally {
  console.error(reason);
  return { ...tally, failed: tally.failed + 1 };
}

function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}

function sum(tallies: Tally[]) {
  return tallies.reduce((a, b) => ({
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }));
}

/** Prints the line that everybody looks for, and gives the exit code. */
function report({ passed, failed, skipped }: Tally) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 ? 1 : 0;
}

/** The exit code once somebody stops this program, or the npm that started it. */
function interruption() {
  return new Promise<number>((resolve) => {
    const interrupt = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
      interrupted = true;
      resolve(128 + constants.signals[signal]);
    };
    process.on('SIGINT', interrupt).on('SIGTERM', interrupt).on('SIGHUP', interrupt);
    if (process.env.npm_lifecycle_event) onOrphaned(() => interrupt('SIGHUP'));
  });
}

/** A parent killed by -9 tells nobody, but its children get another parent. */
function onOrphaned(act: () => void) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && act(), 500);
}

function forever() {
  return new Promise<never>(() => {});
}

const exitCode = await Promise.race([interruption(), main(process.argv.slice(2)).then(report)]);
await cutLifelines();
process.exit(exitCode);
