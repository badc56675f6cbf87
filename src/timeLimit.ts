import { setTimeout as sleep } from 'node:timers/promises';

/** What work results in, or undefined if that is not known in time. The work goes on. */
export async function withinTime<T>(work: Promise<T>, limitMs: number): Promise<{ value: T } | undefined> {
  const settled = new AbortController();
  const timeUp = sleep(limitMs, undefined, { ref: false, signal: settled.signal }).catch(() => undefined);
  return Promise.race([work.then((value) => ({ value })), timeUp]).finally(() => settled.abort());
}
