import { ConnectionError, RefusedError } from './errors.ts';

type Repetition = {
  /** Whether the server does nothing more for the same key. */
  honorsKeys: () => Promise<boolean>;
  /** How long to wait before each repetition. */
  delaysMs?: number[] | undefined;
  signal: AbortSignal | undefined;
  /** Called before it waits for an earlier attempt that the server has not given up. */
  onWait?: ((seconds: number) => void) | undefined;
};

/** How long to wait in all for earlier attempts. hushpush gives up one whose process died after a minute. */
const patienceSeconds = 90;
const defaultDelaysMs = [500, 2_000];

/**
 * Sends a request, and again while no response says whether it was done. Each time it has the same key, with which a server
 * that honors keys does it once. Other servers would create another push, or count another view. An earlier attempt that is
 * still in progress is waited for as long as the server says.
 */
export async function sendRepeatedly<T>(
  send: () => Promise<T>,
  { honorsKeys, delaysMs = defaultDelaysMs, signal, onWait }: Repetition,
): Promise<T> {
  const delays = [...delaysMs];
  let patience = delays.length === 0 ? 0 : patienceSeconds;
  let lost: unknown;

  function delayAfter(error: unknown): number | undefined {
    const delayMs = delays.shift();
    if (delayMs !== undefined || !isInProgress(error)) return delayMs;
    const seconds = Math.max(1, error.retryAfterSeconds);
    patience -= seconds;
    if (patience < 0) return undefined;
    onWait?.(seconds);
    return seconds * 1_000;
  }

  for (;;) {
    try {
      if (lost !== undefined && !(await honorsKeys())) throw lost;
      return await send();
    } catch (error) {
      const delayMs = error === lost || !isLost(error) ? undefined : delayAfter(error);
      if (delayMs === undefined) throw error;
      lost = error;
      await wait(delayMs, signal);
    }
  }
}

const lostStatuses = [502, 503, 504];

/** Whether the request may have been done, or may yet. */
function isLost(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.code === 'unreachable' || error.code === 'timeout';
  return isInProgress(error) || (error instanceof RefusedError && lostStatuses.includes(error.status));
}

/** Whether it is a conflict with an earlier attempt, and not with another request. */
function isInProgress(error: unknown): error is RefusedError & { retryAfterSeconds: number } {
  return error instanceof RefusedError && error.status === 409 && error.retryAfterSeconds !== undefined;
}

/** 128 random bits. `crypto.randomUUID` exists on pages with TLS only. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
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
