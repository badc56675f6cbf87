import { readFile } from 'node:fs/promises';

export type Tally = {
  passed: number;
  failed: number;
  skipped: number;
  /** The title of each failed test, and its error on the lines below. */
  failures: string[];
  /** The titles of the tests that were run twice because the first attempt failed. */
  retried: string[];
};

export const emptyTally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [], retried: [] };

/** Reads what the reporter wrote; undefined when Mocha ended before the suite did. */
export async function readTally(file: string): Promise<Tally | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Adds a failure where Mocha's end contradicts the tally. `exit` is its exit code or signal. */
export function checkTally(tally: Tally | undefined, exit: unknown): Tally {
  if (!tally) return addFailure(emptyTally, `Mocha ended (${exit}) before the suite did.`);
  if (tally.passed + tally.failed === 0) return addFailure(tally, 'No test ran.');
  if (tally.failed === 0 && exit !== 0)
    return addFailure(tally, `All tests passed, but Mocha ended with ${exit}.`);
  return tally;
}

/** Counts a problem outside of the tests as one more failure. */
export function addFailure(tally: Tally, reason: unknown): Tally {
  const failure = reason instanceof Error ? reason.message : String(reason);
  return { ...tally, failed: tally.failed + 1, failures: [...tally.failures, failure] };
}

export function sumTallies(tallies: Tally[]): Tally {
  return tallies.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      failed: a.failed + b.failed,
      skipped: a.skipped + b.skipped,
      failures: [...a.failures, ...b.failures],
      retried: [...a.retried, ...b.retried],
    }),
    emptyTally,
  );
}

/** Prints all failures once more, since the output of the parts is long, and the last line. Returns the exit code. */
export function reportTally({ passed, failed, skipped, failures, retried }: Tally): number {
  for (const title of retried) console.log(`\nFailed at its first attempt: ${title}`);
  for (const failure of failures) console.log(`\nFailed: ${failure}`);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 ? 1 : 0;
}
