import { EventEmitter, once } from 'node:events';

export type Clock = ReturnType<typeof createClock>;

const discordEpochMs = 1_420_070_400_000;

/** Discord's clock, which tests can move, and notifications about changes. */
export function createClock() {
  const changes = new EventEmitter().setMaxListeners(0);
  let aheadMs = 0;
  let lastId = 0n;

  const now = () => Date.now() + aheadMs;

  /** A snowflake: a unique id that contains its time of creation and sorts by it. */
  function nextId(): string {
    const id = BigInt(now() - discordEpochMs) << 22n;
    lastId = id > lastId ? id : lastId + 1n;
    return String(lastId);
  }

  /**
   * Waits for a value and returns it. Fails after `withinMs` with `what` in the error. Checks again
   * whenever something in Discord changes, and at intervals for changes elsewhere.
   */
  async function until<T>(what: string, find: () => T | undefined, withinMs: number): Promise<T> {
    const deadline = AbortSignal.timeout(withinMs);
    const polling = setInterval(() => changes.emit('changed'), 20);
    try {
      while (true) {
        const found = find();
        if (found !== undefined) return found;
        await once(changes, 'changed', { signal: deadline }).catch(() => {
          throw new Error(`${what} did not come within ${withinMs} ms`);
        });
      }
    } finally {
      clearInterval(polling);
    }
  }

  return {
    now,
    nextId,
    until,
    iso: (ms = now()) => new Date(ms).toISOString().replace('Z', '000+00:00'),
    changed: () => void changes.emit('changed'),
    moveAhead(ms: number) {
      aheadMs += ms;
      changes.emit('changed');
    },
  };
}
