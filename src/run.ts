import type { Logger } from 'pino';
import { firstRunBanner } from './cli/banner.ts';
import { checkSettings } from './cli/doctor/settings.ts';
import { type Config, publicUrl } from './config.ts';
import { openDatabaseFolder } from './runtime/databaseFolder.ts';
import { createHeartbeat } from './runtime/heartbeat.ts';
import { openKeys } from './runtime/keys.ts';
import { openLog } from './runtime/log.ts';
import { createMetrics } from './runtime/metrics.ts';
import { packageVersion } from './runtime/package.ts';
import { isSupervisor, runWebProcesses, stopRequested } from './runtime/processes.ts';
import { createReadiness } from './runtime/readiness.ts';
import { watchEventLoop } from './runtime/watchdog.ts';
import { createScheduler } from './scheduler/scheduler.ts';
import { serve } from './serve.ts';
import { openService } from './service.ts';

/** Serves, or supervises the processes that do. */
export async function start(config: Config): Promise<void> {
  if (!isSupervisor(config.WEB_PROCESSES)) return run(config, 'web');
  await openDatabaseFolder(config);
  const { createdFile } = await openKeys(config); // before several processes look for them
  if (createdFile !== undefined) process.stdout.write(firstRunBanner(publicUrl(config), createdFile));
  return runWebProcesses(config.WEB_PROCESSES, openLog(config.LOG_LEVEL).logger);
}

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
    observer: { ...metrics.observer, deliveryFailed: (error) => warn('delivery failed', { error }) },
    onError: (source, error) => warn(`${source} failed`, { error }),
  });
  metrics.addReadings(service);
  const prepare = () => service.prepare().then(service.registration.renew);
  const readiness = createReadiness(prepare, {
    stopped,
    onRetry: (error) => warn('waiting for the database', { error }),
  });
  const serving = await serve(role, { config, service, readiness, logger, metrics });
  const scheduler = createScheduler({
    backend: service.backend,
    jobs: service.jobs,
    onRun(job, ms, error) {
      metrics.jobRan(job, ms, error);
      if (error !== undefined) warn('job failed', { job, error });
    },
    onError: (error) => warn('scheduler failed', { error }),
  });
  if (config.JOBS || role === 'worker') {
    service.domain.notices.onWritten(() => scheduler.nudge('deliver-notices'));
    readiness.settled.then((isReady) => (isReady ? scheduler.start() : undefined));
  }
  const heartbeat = createHeartbeat(service.registration.renew, {
    onError: (error) => warn('reading the keys failed', { error }),
  });
  readiness.settled.then((isReady) => (isReady ? heartbeat.start() : undefined));

  await Promise.race([stopped, readiness.failed]);
  logger.info('stopping');
  await Promise.all([scheduler.stop(), serving.stop(), heartbeat.stop()]);
  await readiness.settled;
  await service.registration.remove().catch(() => {}); // it ends by itself a minute later
  await service.close();
  process.exit(); // Agenda leaves timers behind that would keep it alive for half a lock's time
}
