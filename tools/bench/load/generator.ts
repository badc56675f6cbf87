import { setTimeout as sleep } from 'node:timers/promises';
import { targets } from '../targets/targets.ts';
import { openConnection } from './connection.ts';

/** One step of a target for all items, over some connections. */
export type Job = { target: string; step: string; url: string; connections: number; items: string[] };

export type JobResult = {
  items: string[];
  requests: number;
  seconds: number;
  /** In milliseconds, ascending. */
  latencies: number[];
  /** What the generator itself needed per request. */
  cpuMicros: number;
};

/** Runs a job. Each connection sends its share of the items, one request after the other. Every response must be good. */
export async function runJob({ target, step, url, connections, items }: Job): Promise<JobResult> {
  const found = targets[target]?.[step];
  if (found === undefined) throw new Error(`there is no target ${target} with a step ${step}`);
  const { request, read, times = 1, afterMs = 0 } = found;
  await sleep(afterMs);
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(new URL(url))));
  const next: string[] = new Array(items.length);
  const latencies: number[] = [];

  async function sendShare(connection: number): Promise<void> {
    for (let time = 0; time < times; time++)
      for (let index = connection; index < items.length; index += connections) {
        const item = items[index] ?? '';
        const sentAt = performance.now();
        const response = await opened[connection]?.send(request(item));
        latencies.push(performance.now() - sentAt);
        const result = response && read(response, item);
        if (result === undefined)
          throw new Error(`${step} at ${url}: HTTP ${response?.status} ${response?.body}`);
        next[index] = result;
      }
  }

  try {
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    await Promise.all(opened.map((_, connection) => sendShare(connection)));
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    const requests = latencies.length;
    return {
      ...{ items: next, requests, seconds, cpuMicros: (user + system) / requests },
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
