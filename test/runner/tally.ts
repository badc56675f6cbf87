import { readFile } from 'node:fs/promises';

export type Tally = { passed: number; failed: number; skipped: number };

export const emptyTally: Tally = { passed: 0, failed: 0, skipped: 0 };

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

/** Counts a problem outside of the tests as one more failure, and prints its reason. */
export function addFailure(tally: Tally, reason: unknown): Tally {
  console.error(reason instanceof Error ? reason.message : String(reason));
  return { ...tally, failed: tally.failed + 1 };
}

export function sumTallies(tallies: Tally[]): Tally {
  return tallies.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      failed: a.failed + b.failed,
      skipped: a.skipped + b.skipped,
    }),
    emptyTally,
  );
}

/** Prints the last line of the run, and returns the exit code. */
export function reportTally({ passed, failed, skipped }: Tally): number {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed > 0 ? 1 : 0;
}
