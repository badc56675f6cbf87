import { randomDelay, retry } from '../../retry.ts';
import { busyError, isBusy } from './errors.ts';

const delayMs = randomDelay(1, 11);

/**
 * Retries, without blocking the process, while another process holds the lock. A refused statement has had no effect.
 */
export async function retryWhileBusy<T>(work: () => T, deadline: number): Promise<T> {
  const isRetryable = (error: unknown) => isBusy(error) && performance.now() <= deadline;
  try {
    return await retry(work, { delayMs, isRetryable });
  } catch (error) {
    throw isBusy(error) ? busyError() : error;
  }
}

/** Admits one writer at a time, in order of arrival. Each `acquire` that resolves needs exactly one `release`. */
export function createWriteLock() {
  const queue: (() => void)[] = [];
  let isHeld = false;

  async function acquire(deadline: number): Promise<void> {
    if (isHeld) {
      await new Promise<void>((admitted, refused) => {
        const admit = () => {
          clearTimeout(timer);
          // Yield to the event loop between two writers, or a queue of writers would starve everything else.
          setImmediate(admitted);
        };
        const onTimeout = () => {
          queue.splice(queue.indexOf(admit), 1);
          refused(busyError());
        };
        const timer = setTimeout(onTimeout, deadline - performance.now());
        queue.push(admit);
      });
    }
    isHeld = true;
  }

  function release(): void {
    const admit = queue.shift();
    if (admit) admit();
    else isHeld = false;
  }

  return { acquire, release };
}
