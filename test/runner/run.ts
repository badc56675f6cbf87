import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { cutLifelines } from '../harness/lifeline.ts';
import { startMariadb } from '../harness/mariadb.ts';
import { requireMysqlUrl } from '../harness/mysql.ts';
import { parseArguments } from './arguments.ts';
import { interruption } from './interruption.ts';
import { preferMemoryFolder } from './memoryFolder.ts';
import { type MochaOptions, root, runMocha } from './mocha.ts';
import { createOrderedOutput } from './output.ts';
import { preparePrerequisites } from './prerequisites.ts';
import { buildParts, type Part } from './suite.ts';
import { addFailure, emptyTally, reportTally, sumTallies, type Tally } from './tally.ts';

// npm test [-- [--only sqlite|mariadb|mysql] [test files and Mocha options…]]
// Runs the suite on SQLite and, at the same time, on a MariaDB of its own; with `--only mysql`, on the server of
// TEST_DATABASE_URL. The last line is "N passed, N failed".

async function main(args: string[]): Promise<Tally> {
  try {
    const { only, files, mochaArgs } = parseArguments(args);
    const { databases, missing } = await preparePrerequisites(only);
    for (const sentence of missing) console.log(sentence);
    execFileSync(process.execPath, [join(root, 'scripts/build-if-needed.mjs')], { stdio: 'inherit' });
    const tally = await runParts(buildParts(databases, files), mochaArgs);
    for (const sentence of missing) console.log(sentence);
    return tally;
  } catch (error) {
    return addFailure(emptyTally, error);
  }
}

/** Runs all parts at the same time, since each waits for others most of its time. */
async function runParts(parts: Part[], mochaArgs: string[]): Promise<Tally> {
  const folder = await preferMemoryFolder();
  const server = await startServer(parts, folder);
  const openSlot = createOrderedOutput();
  try {
    return sumTallies(
      await Promise.all(
        parts.map((part) => runPart(part, { mochaArgs, folder, serverUrl: server?.url, output: openSlot() })),
      ),
    );
  } finally {
    await server?.stop();
  }
}

async function startServer(
  parts: Part[],
  parent: string,
): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (parts.some(({ database }) => database === 'MariaDB')) return startMariadb({ parent });
  if (parts.every(({ database }) => database === 'SQLite')) return undefined;
  return { url: requireMysqlUrl(), stop: async () => {} };
}

async function runPart(part: Part, options: MochaOptions): Promise<Tally> {
  const startedAt = performance.now();
  options.output.write(`\n=== ${part.name} ===\n`);
  try {
    const tally = await runMocha(part, options);
    return { ...tally, failures: tally.failures.map((failure) => `${part.name}: ${failure}`) };
  } catch (error) {
    return addFailure(emptyTally, error);
  } finally {
    const minutes = (performance.now() - startedAt) / 60_000;
    options.output.write(`${part.name} took ${minutes.toFixed(1)} minutes\n`);
    options.output.end();
  }
}

const exitCode = await Promise.race([interruption(), main(process.argv.slice(2)).then(reportTally)]);
await cutLifelines();
process.exit(exitCode);
