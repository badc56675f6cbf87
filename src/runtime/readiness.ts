import { toRefusal, unavailable } from '../domain/index.ts';
import { growingDelay, retry } from '../retry.ts';

export type Readiness = ReturnType<typeof createReadiness>;

/**
 * Prepares the database, and retries while it is unreachable. `failed` rejects if that can never succeed, such as
 * with wrong keys. `settled` resolves in the end with whether the service is ready: after success, failure, or
 * `stopped`.
 */
export function createReadiness(
  prepare: () => Promise<void>,
  { stopped, onRetry }: { stopped: Promise<void>; onRetry: (error: unknown) => void },
) {
  let isReady = false;
  const stopping = new AbortController();
  const { signal } = stopping;
  stopped.then(() => stopping.abort());
  const isRetryable = (error: unknown) => toRefusal(error) !== undefined;

  async function tryUntilReady(): Promise<void> {
    try {
      await retry(prepare, { delayMs: growingDelay(100, 2_000), isRetryable, onRetry, signal });
      isReady = true;
    } catch (error) {
      if (!signal.aborted || !isRetryable(error)) throw error;
    }
  }

  const prepared = tryUntilReady();
  const failed = new Promise<never>((_resolve, reject) => {
    prepared.catch(reject);
  });
  failed.catch(() => {}); // whoever waits for it may still be loading the program
  return {
    requireReady: () => {
      if (!isReady) throw unavailable('notReady');
    },
    /** Refuses once the process is asked to stop. */
    requireStaying: () => {
      if (signal.aborted) throw unavailable('stopping');
    },
    failed,
    settled: prepared.then(
      () => isReady,
      () => false,
    ),
  };
}
