import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './harness/browser.ts';
import { createLifeline, cutLifelines, type Lifeline } from './harness/lifeline.ts';
import { ensureMariadb, startMariadb } from './harness/mariadb.ts';
import type { Tally } from './harness/mochaReporter.ts';

// tsx test/run.ts [--only sqlite|mariadb] [mocha arguments…]
// Runs the suite on SQLite, then on a MariaDB of its own; the last line is "N passed, N failed".

const root = fileURLToPath(new URL('..', import.meta.url));
const mocha = fileURLToPath(new URL('bin/mocha.js', import.meta.resolve('mocha/package.json')));
const databases = ['SQLite', 'MariaDB'] as const;
type Database = (typeof databases)[number];

/** What runs on the other database alone: pages and stories with browsers, and what knows no database. */
const leftOut: Record<Database, string[]> = {
  SQLite: ['test/browser/**', 'test/e2e/{discord,slack}.test.ts'],
  MariaDB: ['test/{standins,stores}/**', 'test/bots/*/drawing.test.ts', 'test/cli/usage.test.ts'],
};

interface Run {
  dir: string;
  lifeline: Lifeline;
  mochaArgs: string[];
  /** Whether the whole suite was asked for, or files by their names. */
  isWhole: boolean;
}

const nothing: Tally = { passed: 0, failed: 0, skipped: 0 };

let interrupted = false;

async function main(args: string[]): Promise<Tally> {
  try {
    const { wanted, mochaArgs } = parse(args);
    if (wanted.includes('MariaDB')) await ensureMariadb();
    await ensureChromium();
    execFileSync(process.execPath, [join(root, 'scripts/build-if-needed.mjs')], { stdio: 'inherit' });
    const dir = await mkdtemp(join(tmpdir(), 'hushpush-'));
    const isWhole = !mochaArgs.some(isTestFile);
    const run: Run = {
      dir,
      lifeline: createLifeline(dir),
      mochaArgs: isWhole ? mochaArgs : await narrow(mochaArgs, dir),
      isWhole,
    };
    const tallies: Tally[] = [];
    for (const database of wanted) tallies.push(await runOn(database, run));
    return sum(tallies);
  } catch (error) {
    return blame(nothing, messageOf(error));
  }
}

function parse(args: string[]) {
  const at = args.indexOf('--only');
  if (at < 0) return { wanted: [...databases], mochaArgs: args };
  const only = databases.find((database) => database.toLowerCase() === args[at + 1]);
  if (!only) throw new Error('--only takes sqlite or mariadb');
  return { wanted: [only], mochaArgs: args.toSpliced(at, 2) };
}

const isTestFile = (arg: string) => /\.test\.tsx?$/.test(arg);

/** Mocha adds the files it is given to the configured ones; here, test files that are named replace them. */
async function narrow(mochaArgs: string[], dir: string) {
  const { spec: _, ...rest } = JSON.parse(await readFile(join(root, '.mocharc.json'), 'utf8'));
  const config = join(dir, 'mocharc.json');
  await writeFile(config, JSON.stringify(rest));
  return ['--config', config, ...mochaArgs];
}

async function runOn(database: Database, run: Run): Promise<Tally> {
  console.log(`\n=== ${database} ===`);
  try {
    return await (database === 'SQLite' ? runMocha(database, undefined, run) : runOnMariadb(run));
  } catch (error) {
    return blame(nothing, messageOf(error));
  }
}

async function runOnMariadb(run: Run) {
  const server = await startMariadb();
  try {
    return await runMocha('MariaDB', server.url, run);
  } finally {
    await server.stop();
  }
}

async function runMocha(
  database: Database,
  serverUrl: string | undefined,
  { dir, lifeline, mochaArgs, isWhole }: Run,
) {
  if (isWhole) console.log(`On the other database alone: ${leftOut[database].join(', ')}`);
  const ignored = isWhole ? leftOut[database].flatMap((pattern) => ['--ignore', pattern]) : [];
  const tallyFile = join(dir, `${database}.json`);
  const child = spawn(
    process.execPath,
    [mocha, ...mochaArgs, ...ignored, '--reporter', 'test/harness/mochaReporter.ts'],
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        TEST_DATABASE_URL: serverUrl,
        TEST_TALLY_FILE: tallyFile,
        TMPDIR: await tempFolder(dir, database),
      },
    },
  );
  await once(child, 'spawn');
  const group = -Number(child.pid);
  lifeline.hold(group);
  const [code, signal] = await once(child, 'exit');
  if (interrupted) await forever();
  killLeftovers(group);
  lifeline.release();
  return judge(await readTally(tallyFile), code ?? signal);
}

/** The temp files of the tests, wherever they make them, go when this program goes. */
async function tempFolder(dir: string, database: Database) {
  const folder = join(dir, database);
  await mkdir(folder);
  return folder;
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
