import { setTimeout as sleep } from 'node:timers/promises';
import { secondMs } from '../time.ts';

type HeartbeatOptions = { onError: (error: unknown) => void; everyMs?: number };

/** Repeats work every five seconds from its start until it is stopped, whether or not the work fails. */
export function createHeartbeat(
  beat: () => Promise<void>,
  { onError, everyMs = 5 * secondMs }: HeartbeatOptions,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    const wait = () => sleep(everyMs, true, { signal }).catch(() => false);
    while (await wait()) await beat().catch(onError);
  }

  return {
    start(): void {
      running = run();
    },
    /** Resolves when the work has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
