#!/usr/bin/env node
import { createApp, createMonitoringApp } from './app.ts';
import { firstRunBanner } from './cli/banner.ts';
import { runCommandLine } from './cli/program.ts';
import { type Config, isLoopback, loadDotEnv, localUrl, publicUrl } from './config.ts';
import { createLog } from './http/log.ts';
import { listen } from './http/server.ts';
import { openKeys } from './runtime/keys.ts';
import { openLog } from './runtime/log.ts';
import { createMetrics } from './runtime/metrics.ts';
import { isSupervisor, runWebProcesses, stopRequested } from './runtime/processes.ts';
import { createReadiness } from './runtime/readiness.ts';
import { createScheduler } from './scheduler/scheduler.ts';
import { openService } from './service.ts';

loadDotEnv();
await runCommandLine({ openService, start, work: (config) => run(config, 'worker') });

/** Serves, or supervises the processes that do. */
async function start(config: Config): Promise<void> {
  if (!isSupervisor(config.WEB_PROCESSES)) return run(config, 'web');
  const { createdFile } = await openKeys(config); // before several processes look for them
  if (createdFile !== undefined) process.stdout.write(firstRunBanner(publicUrl(config), createdFile));
  return runWebProcesses(config.WEB_PROCESSES);
}

/** Runs until asked to stop. While the database is out of reach, it responds with 503 and keeps retrying. */
async function run(config: Config, role: 'web' | 'worker'): Promise<void> {
  const isWeb = role === 'web';
  const stopped = stopRequested();
  const { logger, warn } = openLog(config.LOG_LEVEL);
  const metrics = createMetrics();
  const service = await openService(config, {
    observer: { ...metrics.observer, deliveryFailed: (error) => warn('delivery failed', { error }) },
    onError: (source, error) => warn(`${source} failed`, { error }),
  });
  const { domain, bots, backend, jobs } = service;
  metrics.addReadings(service);
  const readiness = createReadiness(service.prepare, {
    stopped,
    onRetry: (error) => warn('waiting for the database', { error }),
  });

  const chats = isWeb ? bots.listen() : undefined;
  const app = (isWeb ? createApp : createMonitoringApp)({
    domain,
    log: createLog(logger),
    settings: { baseUrl: publicUrl(config), trustedProxies: config.TRUSTED_PROXIES },
    metrics: { ...metrics, token: config.METRICS_TOKEN, isLoopback: isLoopback(config.HOST) },
    mounted: chats?.endpoints,
    requireReady: readiness.requireReady,
  });
  const port = isWeb ? config.PORT : config.WORKER_PORT;
  const uploadMs = config.MAX_UPLOAD_SECONDS * 1_000;
  const server = port === undefined ? undefined : await listen(app, { host: config.HOST, port, uploadMs });
  if (!isWeb) logger.info('worker started');
  if (isWeb) for (const name of bots.off) logger.info(`${name} is disabled: it is not configured`);
  const url = (isWeb ? publicUrl : localUrl)(config, server?.port);
  if (server) logger.info({ url }, 'listening');
  await chats?.start(readiness.settled);
  if (isWeb && service.createdFile) process.stdout.write(firstRunBanner(url, service.createdFile));

  const scheduler = createScheduler({
    backend,
    jobs,
    onRun(job, ms, error) {
      metrics.jobRan(job, ms, error);
      if (error !== undefined) warn('job failed', { job, error });
    },
    onError: (error) => warn('scheduler failed', { error }),
  });
  if (config.JOBS || !isWeb) {
    domain.notices.onWritten(() => scheduler.nudge('deliver-notices'));
    readiness.settled.then((isReady) => (isReady ? scheduler.start() : undefined));
  }

  await Promise.race([stopped, readiness.failed]);
  logger.info('stopping');
  await Promise.all([scheduler.stop(), chats?.stop(), server?.drain()]);
  await readiness.settled;
  await service.close();
  process.exit(); // Agenda leaves timers behind that would keep it alive for half a lock's time
}
