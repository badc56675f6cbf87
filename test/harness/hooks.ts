import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'mocha';
import { trackScopes } from '../../src/database/sqlite/scope.ts';

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
    currentTest = `“${this.currentTest?.fullTitle()}”`;
    if (dependsOnScheduling.test(this.currentTest?.file ?? '')) this.currentTest?.retries(1);
  },
  async afterAll() {
    await turn();
    isOver = true;
    if (unhandledRejections.size === 0) return;
    throw new Error(
      `Unhandled rejections, printed above, during or after ${[...unhandledRejections.values()].join(', ')}`,
    );
  },
};
