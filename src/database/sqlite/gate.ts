import { setTimeout as sleep } from 'node:timers/promises';
import { busyError, isBusy } from './errors.ts';

const retryMs = 10;

/** Repeats, without blocking the process, what another process's lock refused: a refused statement has done nothing. */
export async function retryWhileBusy<T>(work: () => T, deadline: number): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) throw busyError();
    }
    await sleep(1 + Math.random() * retryMs);
  }
}

/** Lets one writer in at a time, first come first served. Who has entered must leave, exactly once. */
export function createWriteLock() {
  const queue: (() => void)[] = [];
  let isTaken = false;

  async function acquire(deadline: number): Promise<void> {
    if (isTaken) {
      await new Promise<void>((admitted, refused) => {
        const admit = () => {
          clearTimeout(timer);
          // A turn of the event loop between two writers, or a queue of them would starve everything else.
          setImmediate(admitted);
        };
        const giveUp = () => {
          queue.splice(queue.indexOf(admit), 1);
          refused(busyError());
        };
        const timer = setTimeout(giveUp, deadline - performance.now());
        queue.push(admit);
      });
    }
    isTaken = true;
  }

  function release(): void {
    const admit = queue.shift();
    if (admit) admit();
    else isTaken = false;
  }

  return { acquire, release };
}
