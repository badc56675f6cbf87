import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** What one run of the suite came to. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

const graceMs = 15_000;

/**
 * Mocha's Spec reporter, which also leaves a `Tally` in the file named by TEST_TALLY_FILE, and only once the run has ended.
 * What goes wrong after the end, an error or something that keeps the process alive, counts as one more failure.
 */
export default class TallyReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      leave({ passed, failed, skipped });
      countLateFailures({ passed, failed: failed + 1, skipped });
    });
  }
}

function leave(tally: Tally) {
  const file = process.env.TEST_TALLY_FILE;
  if (file) writeFileSync(file, JSON.stringify(tally));
}

/** Mocha sets its own exit code on exit, so that only the tally can tell. */
function countLateFailures(tally: Tally) {
  process.once('uncaughtExceptionMonitor', () => leave(tally));
  setTimeout(() => {
    console.error(`The tests have ended, but this still keeps the process alive: ${leftovers()}`);
    leave(tally);
    process.exit(1);
  }, graceMs).unref();
}

function leftovers() {
  return process.getActiveResourcesInfo().join(', ');
}
