import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'mocha';
import { trackScopes } from '../../src/database/sqlite/scope.ts';
import { beginTest, endTest } from './endsWithTest.ts';

trackScopes();

// Mocha 12 ignores unhandled rejections. If they were thrown at once, the failed test would go on beside the next one
// and be reported twice. So they are printed at once, and fail the run at its end, unless a test awaited them later.

const unhandledRejections = new Map<Promise<unknown>, string>();

/** Tests of whole programs and browsers, whose time no test can hold. They get a second attempt, which is reported. */
const dependsOnScheduling = /\/test\/(?:browser|e2e)\//;

let currentTest = 'the loading of the tests';
let isOver = false;

process.on('unhandledRejection', (reason, promise) => {
  if (isOver) throw reason;
  if (unhandledRejections.has(promise)) return; // Mocha emits each one a second time
  unhandledRejections.set(promise, currentTest);
  console.error(`Unhandled rejection during or after ${currentTest}:`, reason);
});
process.on('rejectionHandled', (promise) => unhandledRejections.delete(promise));

export const mochaHooks = {
  beforeEach(this: Context) {
    beginTest();
    currentTest = `“${this.currentTest?.fullTitle()}”`;
    if (dependsOnScheduling.test(this.currentTest?.file ?? '')) this.currentTest?.retries(1);
  },
  afterEach: endTest,
  async afterAll() {
    await turn();
    isOver = true;
    endHanging();
    if (unhandledRejections.size === 0) return;
    throw new Error(
      `Unhandled rejections, printed above, during or after ${[...unhandledRejections.values()].join(', ')}`,
    );
  },
};

const graceMs = 10_000;

/** Ends a run that something keeps alive after its last test. The reporter of the whole suite does that itself. */
function endHanging(): void {
  if (process.env.TEST_TALLY_FILE !== undefined) return;
  setTimeout(() => {
    const left = process.getActiveResourcesInfo().join(', ');
    console.error(`The tests have ended, but this still keeps the process alive: ${left}`);
    process.exit(1);
  }, graceMs).unref();
}
