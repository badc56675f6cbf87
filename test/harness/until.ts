import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for any machine: this limit only ends what hangs. Mocha's own limit is longer still. */
const hangsAfterMs = 300_000;

/** Waits until a condition holds. Fails when it does not within five minutes. */
export async function until(condition: () => unknown, timeoutMs = hangsAfterMs): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`did not become true within ${timeoutMs} ms: ${condition}`);
    await sleep(10);
  }
}
