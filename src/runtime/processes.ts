import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitConfig } from '../errors.ts';
import { grantListeningTurns } from './listeningTurn.ts';
import { killWhenHung } from './watchdog.ts';

const respawnMs = 1_000;
const stopMessage = 'stop';

/** Resolves when the process is asked to stop. A second signal ends it at once. */
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
  requested.then(() => process.channel?.unref()); // An open channel would prevent an idle worker from exiting.
  return requested;
}

/**
 * Runs `count` web processes, replaces those that die, and resolves when all have stopped: on request, when the first
 * cannot listen, or when a process finds unusable settings or keys.
 */
export async function runWebProcesses(count: number, log: ProcessLog): Promise<void> {
  // Each process accepts connections by itself. If this one passed them on, those that are on their way to a process
  // that dies would wait for a response for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let isStopping = false;
  let hasListened = false;
  const loaded = new WeakSet<Worker>();
  cluster.on('message', (worker) => loaded.add(worker));
  const listening = once(cluster, 'listening').then(() => {
    hasListened = true;
  });

  /**
   * Sends a message instead of a signal: a terminal signals the workers too, and a second signal would end them at
   * once. A process that is still loading would miss a message.
   */
  function stop(exitCode: number): void {
    isStopping = true;
    process.exitCode = exitCode;
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker && !loaded.has(worker)) worker.process.kill('SIGTERM');
      else worker?.send(stopMessage, () => {});
    }
  }
  stopRequested().then(() => stop(0));
  aggregateMetrics();
  grantListeningTurns();

  async function superviseWorker(): Promise<void> {
    while (!isStopping) {
      const worker = cluster.fork();
      const { pid } = worker.process;
      killWhenHung(worker, () => log.warn({ pid }, 'a web process did not respond for 10 s; killing it'));
      const { code, signal } = await exitOf(worker);
      if (isStopping) return;
      if (code === exitConfig || !hasListened) return stop(code);
      log.warn({ pid, code, signal }, 'a web process ended; replacing it');
      await sleep(respawnMs);
    }
  }

  const first = superviseWorker();
  await Promise.race([listening, first]);
  await Promise.all([first, ...Array.from({ length: count - 1 }, superviseWorker)]);
}

type ProcessLog = { warn(fields: object, message: string): void };

type MetricsMessage = { metricsRequest?: string; metricsOf?: string; text?: string | undefined };

/** Aggregates the metrics of all workers when one of them requests it. Loads its library for the first request. */
function aggregateMetrics(): void {
  const openAggregator = async () => new (await import('prom-client')).AggregatorRegistry();
  let opening: ReturnType<typeof openAggregator> | undefined;
  cluster.on('message', async (worker, { metricsRequest }: MetricsMessage) => {
    if (metricsRequest === undefined) return;
    opening ??= openAggregator();
    const text = await opening.then((aggregator) => aggregator.clusterMetrics()).catch(() => undefined);
    worker.send({ metricsOf: metricsRequest, text } satisfies MetricsMessage, () => {});
  });
}

/** The metrics of all web processes, or of this process if it is the only one. */
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

function exitOf(worker: Worker): Promise<{ code: number; signal: string | null }> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => resolve({ code: code ?? 1, signal }));
  });
}
