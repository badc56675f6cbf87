import { type Stall, startStallProbe } from '../../../test/harness/stallProbe.ts';
import type { ClusterWeb } from './cluster.ts';

/** What one request may keep the others waiting, in CPU time: time on the wall says more about the machine. */
const stallMaxMs = 100;

export type WebStall = Stall & { process: string };

/** Measures how long web processes keep `/livez` waiting during some work. Returns the slowest of each. They must not be replaced. */
export async function measureStalls(
  webs: readonly ClusterWeb[],
  work: () => Promise<void>,
): Promise<WebStall[]> {
  const probes = await Promise.all(
    webs.map(({ port, pid }) => startStallProbe({ port: port(), pid: pid() })),
  );
  const working = work();
  try {
    return await Promise.all(
      probes.map(async (probe, index) => {
        const { stall } = await probe.measure('the load', () => working);
        return { ...stall, process: webs[index]?.name ?? '' };
      }),
    );
  } finally {
    await Promise.all(probes.map((probe) => probe.stop()));
  }
}

export const describeStall = ({ process, cpuMs, wallMs }: WebStall) =>
  `${process} ${wallMs.toFixed()} ms, of which ${cpuMs.toFixed()} ms of CPU time`;

/** What is wrong with the stalls of web processes that nothing disturbed. */
export const stallFailures = (stalls: readonly WebStall[]): string[] =>
  stalls
    .filter(({ cpuMs, failed }) => cpuMs > stallMaxMs || failed > 0)
    .map((stall) => `without a fault, an event loop stood still: ${JSON.stringify(stall)}`);
