import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLifeline } from '../../../test/harness/lifeline.ts';
import { preferMemoryFolder } from '../../../test/runner/memoryFolder.ts';
import type { Mutant } from './list.ts';
import { copyParts, edited } from './plant.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const notCopied = new Set(['.git', 'node_modules', 'dist']);
/** For one run of tests that take seconds, on a busy machine. */
const limitMs = 180_000;

/** What the tests of a mutant did. `evidence` names the test that failed. */
export type Verdict = { result: 'noticed' | 'survived' | 'undecided'; evidence: string };

type Run = { passed: number; failure: string | undefined } | 'hung' | 'broken';

/** Copies the repository. In the copy, mutants are run one after the other. */
export async function openTrial() {
  const folder = await mkdtemp(join(await preferMemoryFolder(), 'mutants-'));
  const lifeline = createLifeline(folder);
  const names = (await readdir(root)).filter((name) => !notCopied.has(name));
  await copyParts(names, folder);
  const temp = await mkdtemp(join(folder, '.temp-'));
  const baselines = new Map<string, Promise<Run>>();

  /** Runs the tests of a mutant without it, once for all that have the same, and with it. */
  async function judge(mutant: Mutant): Promise<Verdict> {
    const tests = JSON.stringify([mutant.testFiles, mutant.grep]);
    const baseline = baselines.get(tests) ?? runTests(mutant);
    baselines.set(tests, baseline);
    const healthy = await baseline;
    if (typeof healthy === 'string') return undecided(`without the mistake, the tests are ${healthy}`);
    if (healthy.failure !== undefined) return undecided(`fails without the mistake, too: ${healthy.failure}`);
    if (healthy.passed === 0) return undecided('no test has these words in its title');
    const path = join(folder, mutant.file);
    const source = await readFile(path, 'utf8');
    await writeFile(path, edited(source, mutant));
    try {
      return verdict(await runTests(mutant), mutant);
    } finally {
      await writeFile(path, source);
    }
  }

  async function runTests({ testFiles, grep }: Mutant): Promise<Run> {
    const report = join(temp, 'report.json');
    await rm(report, { force: true });
    const child = spawn(
      process.execPath,
      [
        join(root, 'node_modules/mocha/bin/mocha.js'),
        ...['--bail', '--exit', '--reporter', 'json', '--reporter-option', `output=${report}`],
        ...(grep === undefined ? [] : ['--fgrep', grep]),
        ...testFiles,
      ],
      {
        cwd: folder,
        detached: true,
        stdio: 'ignore',
        env: { ...process.env, TMPDIR: temp, STANDIN_PATIENCE_MS: '20000' },
      },
    );
    await once(child, 'spawn');
    const group = -Number(child.pid);
    lifeline.hold(group);
    const timer = setTimeout(() => killGroup(group), limitMs);
    const [, signal] = await once(child, 'exit');
    clearTimeout(timer);
    killGroup(group); // what it left running
    lifeline.release();
    return signal === null ? readRun(report) : 'hung';
  }

  return { judge, close: () => lifeline.cut() };
}

function verdict(run: Run, { hangs }: Mutant): Verdict {
  if (run === 'hung')
    return hangs === undefined ? undecided('never ended') : { result: 'noticed', evidence: hangs };
  if (run === 'broken') return undecided('the tests cannot be loaded with this mistake');
  const { failure } = run;
  return failure === undefined
    ? { result: 'survived', evidence: '' }
    : { result: 'noticed', evidence: failure };
}

const undecided = (evidence: string): Verdict => ({ result: 'undecided', evidence });

type Report = { stats: { passes: number }; failures: { fullTitle: string; err: { message?: string } }[] };

async function readRun(report: string): Promise<Run> {
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) return 'broken';
  const { stats, failures }: Report = JSON.parse(text);
  const [failed] = failures;
  return { passed: stats.passes, failure: failed && `${failed.fullTitle}: ${firstLine(failed.err.message)}` };
}

const firstLine = (text = '') => (text.split('\n')[0] ?? '').slice(0, 120);

function killGroup(group: number): void {
  try {
    process.kill(group, 'SIGKILL');
  } catch {}
}
