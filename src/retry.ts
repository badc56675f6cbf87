import { setTimeout as sleep } from 'node:timers/promises';

export type RetryOptions = {
  /** How often to try in all; without it, until it works. */
  attempts?: number;
  /** How long to wait after the nth attempt, counted from 1. */
  delayMs: (attempt: number, error: unknown) => number;
  /** Which errors to retry; all of them by default. */
  isRetryable?: (error: unknown) => boolean;
  /** Called with each error that is going to be retried. */
  onRetry?: (error: unknown) => void;
  /** Ends the retries: a wait is cut short and the last error thrown. */
  signal?: AbortSignal | undefined;
};

/** Calls `work` until it succeeds, fails with an error that is not worth a retry, or runs out of attempts. */
export async function retry<T>(
  work: () => T | Promise<T>,
  { attempts = Number.POSITIVE_INFINITY, delayMs, isRetryable = () => true, onRetry, signal }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attempts || signal?.aborted || !isRetryable(error)) throw error;
      onRetry?.(error);
      await sleep(delayMs(attempt, error), undefined, { ...(signal && { signal }) }).catch(() => {
        throw error;
      });
    }
  }
}

/** Waits at random between two bounds, so that those who met do not meet again. */
export function randomDelay(minMs: number, maxMs: number): () => number {
  return () => minMs + Math.random() * (maxMs - minMs);
}

/** Waits `firstMs`, then ever longer by `factor`, up to `maxMs`; never less than the first time. */
export function growingDelay(firstMs: number, maxMs: number, factor = 2): (attempt: number) => number {
  return (attempt) => Math.max(firstMs, Math.min(maxMs, firstMs * factor ** (attempt - 1)));
}

/** What work results in, or undefined if that is not known in time. The work goes on. */
export async function withinTime<T>(work: Promise<T>, limitMs: number): Promise<{ value: T } | undefined> {
  const settled = new AbortController();
  const timeUp = sleep(limitMs, undefined, { ref: false, signal: settled.signal }).catch(() => undefined);
  return Promise.race([work.then((value) => ({ value })), timeUp]).finally(() => settled.abort());
}
