import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';

const everyMs = 50;
const timeoutMs = 5_000;

/** Asks each web process in turn whether it lives, and records how long it took until it said so. */
export function startProbe({ webs }: Pick<Cluster, 'webs'>) {
  const samples: { startedAt: number; ms: number }[] = [];
  let isStopped = false;

  async function run(): Promise<void> {
    for (let turn = 0; !isStopped; turn++) {
      const web = webs[turn % webs.length];
      const startedAt = Date.now();
      const before = performance.now();
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(`${web?.url()}/livez`, { signal }).catch(() => undefined);
      if (response?.ok) samples.push({ startedAt, ms: performance.now() - before });
      await response?.arrayBuffer().catch(() => {});
      await sleep(everyMs);
    }
  }

  const running = run();
  return {
    /** The slowest response to a probe that was sent before `until`, in milliseconds. */
    slowest: (until = Number.POSITIVE_INFINITY) =>
      Math.round(Math.max(0, ...samples.filter(({ startedAt }) => startedAt < until).map(({ ms }) => ms))),
    count: () => samples.length,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
