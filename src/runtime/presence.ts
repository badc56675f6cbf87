import type { Domain } from '../domain/index.ts';
import { secondMs } from '../time.ts';

const everyMs = 15 * secondMs;

type Options = { ready: Promise<boolean>; onError: (error: unknown) => void };

/** Counts this process among those that serve, from when it is ready until it has stopped. */
export function announcePresence({ announce, leave }: Domain['presence'], { ready, onError }: Options) {
  let timer: NodeJS.Timeout | undefined;
  let announced: Promise<unknown> = ready.then((isReady) => {
    if (!isReady) return;
    timer = setInterval(renew, everyMs);
    return announce().catch(onError);
  });

  function renew(): void {
    announced = announced.then(announce).catch(onError);
  }

  return {
    async stop(): Promise<void> {
      await announced;
      clearInterval(timer);
      if (timer !== undefined) await leave().catch(onError);
    },
  };
}
