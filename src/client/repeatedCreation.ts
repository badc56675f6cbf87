import { ConnectionError, RefusedError } from './errors.ts';

type Repetition = {
  /** Whether the server creates nothing more for the same key. */
  honorsKeys: () => Promise<boolean>;
  /** How long to wait before each repetition. */
  delaysMs: number[];
  signal: AbortSignal | undefined;
};

/**
 * Sends a creation, and again while no response says whether it happened. Each time it has the same key, with which a
 * server that honors keys creates one push. Other servers would create another.
 */
export async function createRepeatedly<T>(
  send: () => Promise<T>,
  { honorsKeys, delaysMs, signal }: Repetition,
): Promise<T> {
  let lost: unknown;
  for (const delayMs of [...delaysMs, undefined]) {
    try {
      if (lost !== undefined && !(await honorsKeys())) throw lost;
      return await send();
    } catch (error) {
      if (delayMs === undefined || error === lost || !isLost(error)) throw error;
      lost = error;
      await wait(delayMs, signal);
    }
  }
  throw lost;
}

const lostStatuses = [502, 503, 504];

/** Whether the creation may have happened, or may yet. A conflict is with an earlier attempt that is in progress. */
function isLost(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.code === 'unreachable' || error.code === 'timeout';
  if (!(error instanceof RefusedError)) return false;
  return (
    lostStatuses.includes(error.status) || (error.status === 409 && error.retryAfterSeconds !== undefined)
  );
}

/** Rejects as the signal does. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
