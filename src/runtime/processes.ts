import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';

/** The exit code for settings or keys that cannot work (EX_CONFIG of sysexits.h): starting again would not help. */
export const exitConfig = 78;

const respawnMs = 1_000;
const stopMessage = 'stop';

/** Resolves when the process is asked to stop; a second signal stops it at once. */
export function stopRequested(): Promise<void> {
  const requested = new Promise<void>((resolve) => {
    let isRequested = false;
    const onSignal = () => {
      if (isRequested) process.exit(1);
      isRequested = true;
      resolve();
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    if (cluster.isWorker) process.on('message', (message) => message === stopMessage && resolve());
  });
  requested.then(() => process.channel?.unref()); // it would keep a worker alive that has nothing left to do
  return requested;
}

/** Whether this process is to start so many others, and serve nobody itself. */
export function isSupervisor(webProcesses: number): boolean {
  return webProcesses > 1 && cluster.isPrimary;
}

/**
 * Runs so many processes of one service, replaces those that die, and resolves when all have stopped: after being asked
 * to, or when the first cannot even listen, or when the settings or keys of one cannot work.
 */
export async function runWebProcesses(count: number): Promise<void> {
  let isStopping = false;
  let hasListened = false;
  const listening = once(cluster, 'listening').then(() => {
    hasListened = true;
  });

  /** By a message, since a terminal or supervisor may signal the workers too, and a second signal would cut them off. */
  function stop(exitCode: number): void {
    isStopping = true;
    process.exitCode = exitCode;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(stopMessage, () => {});
  }
  stopRequested().then(() => stop(0));
  aggregateMetrics();

  async function superviseWorker(): Promise<void> {
    while (!isStopping) {
      const code = await exitOf(cluster.fork());
      if (isStopping) return;
      if (code === exitConfig || !hasListened) stop(code);
      else await sleep(respawnMs);
    }
  }

  const first = superviseWorker();
  await Promise.race([listening, first]);
  await Promise.all([first, ...Array.from({ length: count - 1 }, superviseWorker)]);
}

type MetricsMessage = { metricsRequest?: string; metricsOf?: string; text?: string | undefined };

/** Adds up the metrics of all workers when one of them asks. */
function aggregateMetrics(): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', async (worker, { metricsRequest }: MetricsMessage) => {
    if (metricsRequest === undefined) return;
    const text = await aggregator.clusterMetrics().catch(() => undefined);
    worker.send({ metricsOf: metricsRequest, text } satisfies MetricsMessage, () => {});
  });
}

/** The metrics of all processes of the service: those of this one, unless it is one of several. */
export async function allMetrics(ownMetrics: () => Promise<string>): Promise<string> {
  if (!cluster.isWorker) return ownMetrics();
  const id = randomUUID();
  const response = new Promise<string | undefined>((resolve) => {
    const onMessage = ({ metricsOf, text }: MetricsMessage) => {
      if (metricsOf !== id) return;
      process.off('message', onMessage);
      resolve(text);
    };
    process.on('message', onMessage);
  });
  process.send?.({ metricsRequest: id } satisfies MetricsMessage);
  return (await response) ?? ownMetrics();
}

function exitOf(worker: Worker): Promise<number> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number | null) => resolve(code ?? 1));
  });
}
