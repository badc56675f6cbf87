import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

const graceMs = 60_000;

/**
 * Mocha's Spec reporter. At the end of the run it also writes the numbers of passed, failed and skipped tests, what
 * failed, and what was run twice, to TEST_TALLY_FILE. An error after the end, or something that keeps the process alive, counts as one more
 * failure. It is JavaScript because Mocha cannot load a reporter in TypeScript.
 */
export default class TallyReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    const retried = [];
    runner.on('retry', (test, error) => {
      console.log(`Failed, and is run once more: ${test.fullTitle()}\n${error.stack ?? error}`);
      retried.push(test.fullTitle());
    });
    runner.on('fail', (test, error) => failures.push(`${test.fullTitle()}\n${error.stack ?? error}`));
    runner.once('end', () => {
      const { passes: passed, failures: failed, pending: skipped } = this.stats;
      leave({ passed, failed, skipped, failures, retried });
      countLateFailures({ passed, failed: failed + 1, skipped, failures, retried });
    });
  }
}

function leave(tally) {
  const file = process.env.TEST_TALLY_FILE;
  if (file) writeFileSync(file, JSON.stringify(tally));
}

/** Mocha sets its own exit code on exit, so only the tally can report these. */
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
