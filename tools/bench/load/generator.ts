import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros } from '../servers/processes.ts';
import { targets } from '../targets/targets.ts';
import { openConnection, serialize } from './connection.ts';

/** One step of a target for all items, over some connections. */
export type Job = {
  target: string;
  step: string;
  url: string;
  /** Further services, which share the connections with that of `url`. Each item stays with one of them. */
  otherUrls?: string[];
  connections: number;
  items: string[];
  /** How long to wait before. */
  afterMs?: number;
  /** The processes whose CPU time is counted. */
  pids?: { server: number[]; database: number[] };
};

export type JobResult = {
  items: string[];
  requests: number;
  seconds: number;
  /** In milliseconds, ascending. */
  latencies: number[];
  /** CPU time per request from the first request to the last response, in microseconds. */
  serverMicros: number;
  databaseMicros: number;
  generatorMicros: number;
};

/** Runs a job. Each connection sends its share of the items, one request after the other. Every response must be good. */
export async function runJob({
  target,
  step,
  url,
  otherUrls = [],
  connections,
  items,
  afterMs = 0,
  pids = { server: [], database: [] },
}: Job): Promise<JobResult> {
  const found = targets[target]?.[step];
  if (found === undefined) throw new Error(`there is no target ${target} with a step ${step}`);
  const { request, read, times = 1 } = found;
  const services = [url, ...otherUrls].map((each) => {
    const address = new URL(each);
    return { address, requests: new Map(items.map((item) => [item, serialize(request(item), address)])) };
  });
  const serviceOf = (connection: number) => services[connection % services.length] as (typeof services)[0];
  await sleep(afterMs);
  const opened = await Promise.all(
    Array.from({ length: connections }, (_, connection) => openConnection(serviceOf(connection).address)),
  );
  const next: string[] = new Array(items.length);
  const latencies: number[] = [];

  async function sendShare(connection: number): Promise<void> {
    const { requests } = serviceOf(connection);
    for (let time = 0; time < times; time++)
      for (let index = connection; index < items.length; index += connections) {
        const item = items[index] ?? '';
        const sentAt = performance.now();
        const response = await opened[connection]?.send(requests.get(item) as Buffer);
        latencies.push(performance.now() - sentAt);
        const result = response && read(response, item);
        if (result === undefined)
          throw new Error(`${step} at ${url}: HTTP ${response?.status} ${response?.body}`);
        next[index] = result;
      }
  }

  const cpu = () => [pids.server, pids.database, [process.pid]].map(cpuMicros);
  try {
    const before = cpu();
    const startedAt = performance.now();
    await Promise.all(opened.map((_, connection) => sendShare(connection)));
    const seconds = (performance.now() - startedAt) / 1000;
    const count = latencies.length;
    const [serverMicros = 0, databaseMicros = 0, generatorMicros = 0] = cpu().map(
      (micros, index) => (micros - (before[index] ?? 0)) / count,
    );
    return {
      ...{ items: next, requests: count, seconds, serverMicros, databaseMicros, generatorMicros },
      latencies: latencies.sort((a, b) => a - b),
    };
  } finally {
    for (const { close } of opened) close();
  }
}

if (process.send !== undefined) {
  process.on('message', (job: Job) => {
    runJob(job).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.message }),
    );
  });
  process.on('disconnect', () => process.exit());
}
