import { setTimeout as sleep } from 'node:timers/promises';

/** Enough for what takes milliseconds, on a busy machine. */
const soonMs = 15_000;

/** For what whole programs and browsers do. */
export const programMs = 60_000;

/** Waits until a condition holds. Fails when it does not in time: within fifteen seconds, unless it is allowed longer. */
export async function until(condition: () => unknown, timeoutMs = soonMs): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`did not become true within ${timeoutMs} ms: ${condition}`);
    await sleep(10);
  }
}

/** The same within five minutes: for jobs that run each minute, leases that end, and clusters that recover. */
export const untilLater = (condition: () => unknown, timeoutMs = 300_000): Promise<void> =>
  until(condition, timeoutMs);
