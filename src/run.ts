import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { checkSettings } from './config/checks.ts';
import type { Config } from './config.ts';
import type { ServeDependencies, Serving } from './monitoring.ts';
import { openLog } from './runtime/log.ts';
import { createMetrics } from './runtime/metrics/metrics.ts';
import { packageVersion } from './runtime/package.ts';
import { stopRequested } from './runtime/processes.ts';
import { createReadiness } from './runtime/readiness.ts';
import { endStartup } from './runtime/startup.ts';
import { watchEventLoop } from './runtime/watchdog.ts';
import { deliveryJob, forWorker } from './scheduler/jobs.ts';
import { createScheduler } from './scheduler/scheduler.ts';
import { openService } from './service.ts';
import { secondMs } from './time.ts';

const heartbeatMs = 5 * secondMs;

/** The first lines of the log: where the settings come from, and what is wrong with them. */
function logSettings(logger: Logger, config: Config): void {
  logger.info({ version: packageVersion(), envFile: config.envFile ?? 'none' }, 'starting');
  for (const { code, check, state, finding, advice } of checkSettings(config))
    if (state !== 'ok') logger.warn({ code, advice }, `${check} ${finding}`);
}

/** Runs one process until asked to stop. While the database is out of reach, it responds with 503 and keeps retrying. */
export async function run(config: Config, role: 'web' | 'worker'): Promise<void> {
  const stopped = stopRequested();
  watchEventLoop();
  const { logger, warn } = openLog(config.LOG_LEVEL);
  logSettings(logger, config);
  const metrics = createMetrics();
  const service = await openService(config, {
    observer: {
      ...metrics.observer,
      acted: (entry) => logger.info(entry, 'account of somebody else'),
      signInFailed: (provider, error) => warn('sign-in by a provider failed', { provider, error }),
      deliveryFailed: (error) => warn('delivery failed', { error }),
    },
    onPlacesError: (error) => warn('reading the places failed', { error }),
  });
  metrics.addReadings(service);
  metrics.addFreeSpace(config);
  const { renew, refresh } = service.registration;
  /** Writes each time while the database is full, so that readiness learns when there is room again. */
  const beat = () => (service.database.space.wasFull() ? renew() : refresh());
  const prepare = () => service.prepare().then(renew);
  const readiness = createReadiness(prepare, {
    stopped,
    onRetry: (error) => warn('waiting for the database', { error }),
  });
  const { bots, jobs, prepareDelivery } = await service.openAdapters((source, error) =>
    warn(`${source} failed`, { error }),
  );
  const serving = await serve(role, { config, service, bots, readiness, logger, metrics });
  const scheduler = createScheduler({
    openBackend: service.openBackend,
    jobs: role === 'worker' ? forWorker(jobs) : jobs,
    onRun(job, ms, error) {
      metrics.jobRan(job, ms, error);
      if (error !== undefined) warn('job failed', { job, error });
    },
    onError: (error) => warn('scheduler failed', { error }),
  });
  const hasJobs = config.JOBS || role === 'worker';
  if (hasJobs) service.domain.notices.onWritten(() => scheduler.nudge(deliveryJob));
  readiness.settled
    .then((isReady) => (isReady && hasJobs ? scheduler.start().then(prepareDelivery) : undefined))
    .finally(endStartup);
  const heartbeat = createHeartbeat(beat, (error) => warn('reading the keys failed', { error }));
  readiness.settled.then((isReady) => (isReady ? heartbeat.start() : undefined));

  await Promise.race([stopped, readiness.failed]);
  logger.info('stopping');
  await Promise.all([scheduler.stop(), serving.stop()]);
  await heartbeat.stop();
  await readiness.settled;
  await service.registration.remove().catch(() => {}); // it ends by itself a minute later
  await service.close();
  process.exit(); // Agenda leaves timers behind that would keep it alive for half a lock's time
}

/**
 * Listens for people, programs and chats; as a worker, for whoever watches it, where WORKER_PORT is set. Loads only what
 * that needs.
 */
async function serve(role: 'web' | 'worker', dependencies: ServeDependencies): Promise<Serving> {
  if (role === 'web') return (await import('./web.ts')).serveWeb(dependencies);
  dependencies.logger.info('worker started');
  if (dependencies.config.WORKER_PORT === undefined) return { stop: async () => {} };
  return (await import('./monitoring.ts')).serveMonitoring(dependencies);
}

/** Repeats work every five seconds from its start until it is stopped, whether or not the work fails. */
function createHeartbeat(beat: () => Promise<void>, onError: (error: unknown) => void) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    const wait = () => sleep(heartbeatMs, true, { signal }).catch(() => false);
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
