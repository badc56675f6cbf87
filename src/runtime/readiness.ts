import { setTimeout as sleep } from 'node:timers/promises';
import { toRefusal, unavailable } from '../domain/index.ts';

/**
 * Prepares the database for as long as that takes. `ready` resolves when it is done, `failed` rejects when it never will
 * be, such as with the wrong keys; `settled` resolves at either, or when the process was `stopped` before.
 */
export function createReadiness(
  prepare: () => Promise<void>,
  { stopped, onRetry }: { stopped: Promise<void>; onRetry: (error: unknown) => void },
) {
  let isReady = false;
  let isStopping = false;
  stopped.then(() => {
    isStopping = true;
  });

  async function tryUntilReady(): Promise<void> {
    for (let waitMs = 100; !isStopping; waitMs = Math.min(2 * waitMs, 2_000)) {
      try {
        await prepare();
        isReady = true;
        return;
      } catch (error) {
        if (toRefusal(error) === undefined) throw error;
        onRetry(error);
        await Promise.race([sleep(waitMs), stopped]);
      }
    }
  }

  const prepared = tryUntilReady();
  return {
    requireReady: () => {
      if (!isReady) throw unavailable('The service is starting, or waits for its database.');
    },
    failed: new Promise<never>((_resolve, reject) => {
      prepared.catch(reject);
    }),
    settled: prepared.then(
      () => isReady,
      () => false,
    ),
  };
}
