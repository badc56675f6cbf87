import { EventEmitter, once } from 'node:events';

export type Clock = ReturnType<typeof createClock>;

/** Slack's clock, which tests can move, and notifications about changes. */
export function createClock() {
  const changes = new EventEmitter().setMaxListeners(0);
  let aheadMs = 0;
  let lastTs = 0;

  const now = () => Date.now() + aheadMs;

  /** A message's unique time, which is also its id in a conversation. */
  function nextTs(): string {
    lastTs = Math.max(lastTs + 1, now() * 1000);
    return (lastTs / 1e6).toFixed(6);
  }

  /** Waits for a value and returns it. Fails after `withinMs` with `what` in the error. */
  async function until<T>(what: string, find: () => T | undefined, withinMs: number): Promise<T> {
    const deadline = AbortSignal.timeout(withinMs);
    while (true) {
      const found = find();
      if (found !== undefined) return found;
      try {
        await once(changes, 'changed', { signal: deadline });
      } catch {
        throw new Error(`${what} did not come within ${withinMs} ms`);
      }
    }
  }

  return {
    now,
    nextTs,
    until,
    seconds: () => Math.floor(now() / 1000),
    changed: () => void changes.emit('changed'),
    moveAhead(ms: number) {
      aheadMs += ms;
      changes.emit('changed');
    },
  };
}
