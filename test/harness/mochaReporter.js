import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

const graceMs = 60_000;

/**
 * Mocha's Spec reporter, which also leaves how many tests passed, failed and were skipped in the file that TEST_TALLY_FILE
 * names, and only once the run has ended. What goes wrong after the end, an error or something that keeps the process alive,
 * counts as one more failure. It is JavaScript because Mocha loads reporters in a way that knows no TypeScript.
 */
export default class TallyReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      leave({ passed, failed, skipped });
      countLateFailures({ passed, failed: failed + 1, skipped });
    });
  }
}

function leave(tally) {
  const file = process.env.TEST_TALLY_FILE;
  if (file) writeFileSync(file, JSON.stringify(tally));
}

/** Mocha sets its own exit code on exit, so that only the tally can tell. */
function countLateFailures(tally) {
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
