import type { JobResult } from './load/generator.ts';
import type { LoadGenerator } from './load/load.ts';
import { residentMiB } from './servers/processes.ts';
import type { Server } from './servers/server.ts';
import { targets } from './targets/targets.ts';

export type Measurement = {
  server: string;
  step: string;
  connections: number;
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU time per request, in microseconds. */
  serverMicros: number;
  databaseMicros: number;
  generatorMicros: number;
  /** Resident memory of the server after the step. */
  mebibytes: number;
};

/** `item` is what the first step gets, by default a payload. */
type Run = { generator: LoadGenerator; connections: number; pushes: number; item?: string | undefined };

const payload = 'correct horse battery staple '.repeat(4);

/** A form is not from a person if it comes sooner. Other steps wait as long, so that none is measured in the wake of another. */
const pauseMs = 600;

/** Runs all steps of a server's target once, and measures each. */
async function measureSteps(server: Server, { generator, connections, pushes, item = payload }: Run) {
  const measurements: Measurement[] = [];
  const pids = { server: server.pids(), database: server.databasePids() };
  const { target, url, otherUrls = [] } = server;
  let items: string[] = Array.from({ length: pushes }, () => item);
  for (const step of Object.keys(targets[target] ?? {})) {
    const job = { target, step, url, otherUrls, connections, items, pids, afterMs: pauseMs };
    const result = await generator.run(job);
    measurements.push({
      ...{ server: server.name, step, connections },
      ...figuresOf(result),
      mebibytes: residentMiB(pids.server),
    });
    items = result.items;
  }
  return measurements;
}

function figuresOf({ items: _, seconds, latencies, ...counted }: JobResult) {
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return { ...counted, perSecond: counted.requests / seconds, p50: at(0.5), p99: at(0.99) };
}

/** How often a server gets its load before the one that counts. */
const uncounted = 3;

type Rounds = { servers: Server[] } & Pick<Run, 'generator' | 'item'> &
  Record<'rounds' | 'warmup' | 'pushes', number>;

/**
 * Sends each server so many requests that V8 has compiled its code. Bare Koa needs 71 µs for each of its first 20,000
 * requests, and 35 µs later.
 */
export async function warmUp({
  servers,
  generator,
  item,
  warmup,
  pushes,
}: Omit<Rounds, 'rounds'>): Promise<void> {
  for (const server of servers)
    for (let sent = 0; sent < warmup; ) {
      const measured = await measureSteps(server, {
        generator,
        item,
        connections: 32,
        pushes: Math.min(pushes, warmup),
      });
      for (const { requests } of measured) sent += requests;
    }
}

/** Measures servers in interleaved rounds, in alternating order, so that all see the same moods of the machine. */
export async function measureInRounds(
  { rounds, servers, ...load }: Omit<Rounds, 'warmup'>,
  connections: number,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (let round = 0; round < rounds; round++)
    for (const server of round % 2 === 0 ? servers : servers.toReversed())
      measurements.push(...(await measureOnce(server, load, connections)));
  return measurements;
}

/**
 * Measures a server that gets its load four times, of which only the last counts: V8 shrinks the heap of a process that
 * waits for its turn and drops compiled code, and takes up to half a second of CPU time to compile it again, so a longer
 * wait would look like slower code.
 */
export async function measureOnce(
  server: Server,
  { generator, item, pushes }: Omit<Run, 'connections'>,
  connectionsOfAll: number,
): Promise<Measurement[]> {
  const { connections = connectionsOfAll } = server;
  const share = Math.ceil(pushes / connections) * connections; // an equal share for each connection
  const load = { generator, item, connections, pushes: share };
  for (let times = 0; times < uncounted; times++) await measureSteps(server, load);
  return measureSteps(server, load);
}
