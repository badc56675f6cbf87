import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a busy machine: this limit only ends what hangs. Mocha's own limit is longer still. */
const hangsAfterMs = 60_000;

/** Waits until a condition holds. Fails when it does not within a minute. */
export async function until(condition: () => unknown, timeoutMs = hangsAfterMs): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`did not become true within ${timeoutMs} ms: ${condition}`);
    await sleep(10);
  }
}

/** The same within five minutes: for jobs that run each minute, leases that end, and clusters that recover. */
export const untilLater = (condition: () => unknown): Promise<void> => until(condition, 5 * hangsAfterMs);
