import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLifeline, cutLifelines } from '../../test/harness/lifeline.ts';
import { interruption } from '../../test/runner/interruption.ts';
import type { Outcome } from './experiment.ts';
import { experiments } from './experiments.ts';
import { type ProveArguments, parseProveArguments } from './options.ts';

const nameWidth = Math.max(...Object.keys(experiments).map(({ length }) => length)) + 2;
const usage = `npm run prove -- [options] [EXPERIMENT…]
Runs experiments on real processes, databases and sockets. Prints their figures, and exits with 1 when one fails.
  --seconds 60                        how long each experiment goes on
  --seed N                            repeats the choices of an earlier run
  --database mariadb|sqlite|galera|mysql
                                      a server or cluster of its own, an SQLite file, or the server of TEST_DATABASE_URL
  --only NAME                         causes only this fault; runs only this part; runs only these mutants, separated by commas
  --room NAME                         runs only the mutants of this room
  --jobs N                            runs N mutants at a time, 1 by default
  --mutant NAME                       plants this defect in a copy of the program; the run should then fail

Experiments, all by default:
${Object.entries(experiments)
  .map(([name, { claim }]) => `  ${name.padEnd(nameWidth)}${claim}`)
  .join('\n')}`;

type Ended = Outcome & { seconds: number };

async function main(args: string[]): Promise<number> {
  const { help, names, options } = parseProveArguments(args, Object.keys(experiments));
  if (help) {
    console.log(usage);
    return 0;
  }
  const ended = new Map<string, Ended>();
  for (const name of names) ended.set(name, await runExperiment(name, options));
  summarize(ended);
  return [...ended.values()].some(({ failures }) => failures.length > 0) ? 1 : 0;
}

async function runExperiment(name: string, options: ProveArguments['options']): Promise<Ended> {
  const { claim, run } = experiments[name] ?? {};
  console.log(`\n=== ${name}: ${claim} (seed ${options.seed}, ${options.database}) ===`);
  const startedAt = performance.now();
  const outcome: Outcome = (await run?.(options).catch(toOutcome)) ?? { figures: {}, failures: [] };
  for (const [figure, value] of Object.entries(outcome.figures)) console.log(`${figure}: ${value}`);
  for (const failure of outcome.failures) console.log(`FAILED: ${failure}`);
  return { ...outcome, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

/** An experiment that breaks off has failed. */
function toOutcome(error: unknown): Outcome {
  return { figures: {}, failures: [error instanceof Error ? String(error.stack) : String(error)] };
}

function summarize(ended: Map<string, Ended>): void {
  console.log();
  console.table(
    Object.fromEntries(
      [...ended].map(([name, { failures, seconds }]) => [
        name,
        { result: failures.length === 0 ? 'held' : 'FAILED', failures: failures.length, seconds },
      ]),
    ),
  );
}

/** Everything that experiments write is in one folder. It goes when this process ends, even by SIGKILL. */
async function ownTempFolder(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'prove-'));
  createLifeline(folder);
  process.env.TMPDIR = folder;
}

await ownTempFolder();
const exitCode = await Promise.race([
  interruption(),
  main(process.argv.slice(2)).catch((error) => {
    console.error(`prove: ${error instanceof Error ? error.message : error}`);
    return 1;
  }),
]);
await cutLifelines();
process.exit(exitCode);
