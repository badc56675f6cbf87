import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../../test/harness/api.ts';
import { startProcess, startWorker } from '../../../test/harness/process.ts';
import { startWebhookReceiver } from '../../../test/harness/receiver.ts';
import { until } from '../../../test/harness/until.ts';
import { createCleanups } from '../cleanups.ts';
import { summary } from '../latencies.ts';
import type { BenchOptions } from '../options.ts';
import { markdownTable } from '../report.ts';
import { startDatabases } from '../servers/databases.ts';
import { openStage, storeOwned } from '../stage.ts';

const pauseMs = 500;

/** Measures the time from the response to a viewer until the owner's webhook is called, one view after the other. */
export async function notices({ database, settings, pushes }: BenchOptions): Promise<void> {
  const cleanups = createCleanups();
  const rows: Record<string, string | number>[] = [];
  try {
    const databases = await startDatabases(database);
    cleanups.add(databases.stop);
    const receiver = await startWebhookReceiver();
    cleanups.add(receiver.close);
    for (const [delivers, jobs] of [
      ['the web process', 'on'],
      ['a worker', 'off'],
    ] as const) {
      const running = createCleanups();
      const stage = await openStage((await databases.create()).url);
      running.add(stage.store.close);
      const { endpoints, tokens } = await storeOwned(stage, receiver, 1, pushes);
      const environment = { ...stage.settings, ...settings };
      const web = await startProcess({ ...environment, JOBS: jobs });
      running.add(web.stop);
      if (jobs === 'off') running.add((await startWorker(environment)).stop);
      const client = createClient(web.port);
      running.add(client.close);
      const received = endpoints[0]?.received ?? [];
      const waits: number[] = [];
      for (const token of tokens) {
        const before = received.length;
        await sleep(Math.random() * pauseMs); // so that a view does not always follow right after a delivery
        await client.get(`/p/${token}.json`);
        const answeredAt = performance.now();
        await until(async () => received.length > before);
        waits.push(Math.max(0, Number(received.at(-1)?.at) - answeredAt));
      }
      rows.push({ delivers, ...summary(waits) });
      await running.run();
    }
    console.log(markdownTable(rows));
  } finally {
    await cleanups.run();
  }
}
