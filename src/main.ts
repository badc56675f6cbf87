#!/usr/bin/env node
import cluster from 'node:cluster';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createLinks } from './api/presenters.ts';
import { createBots } from './bots/bots.ts';
import { firstRunBanner } from './cli/banner.ts';
import { runCommandLine } from './cli/program.ts';
import {
  type Config,
  discordSettings,
  domainSettings,
  isLoopback,
  loadDotEnv,
  publicUrl,
  slackSettings,
} from './config.ts';
import { connectDatabase } from './database/database.ts';
import { createMigrations } from './database/migrations.ts';
import { createDomain, type Observer } from './domain/index.ts';
import { requireMatchingKeys } from './domain/keyChecks.ts';
import { createApp, createMonitoringApp } from './http/app.ts';
import { createLog, describeError } from './http/log.ts';
import { listen } from './http/server.ts';
import { openKeys } from './runtime/keys.ts';
import { openLog, type Warn, warnSparingly } from './runtime/log.ts';
import { createMetrics, type Metrics } from './runtime/metrics.ts';
import { allMetrics, runWebProcesses, stopRequested } from './runtime/processes.ts';
import { createReadiness } from './runtime/readiness.ts';
import { createSequelizeBackend } from './scheduler/backend/backend.ts';
import { buildJobs } from './scheduler/jobs.ts';
import { createScheduler } from './scheduler/scheduler.ts';
import { openFileStore } from './stores/open.ts';
import { createWebhookMessenger } from './webhooks/messenger.ts';

/** Told what failed somewhere where nobody waits for an answer. */
type OnFailure = (what: string, error: unknown) => void;

type OpenServiceOptions = { observer?: Observer; onError?: OnFailure };

/** What every command works with: the keys, the database, the domain over both, and what acts by itself. */
export type Service = Awaited<ReturnType<typeof openService>>;

async function openService(config: Config, { observer, onError = () => {} }: OpenServiceOptions = {}) {
  const { keyring, createdFile } = await openKeys(config);
  const database = connectDatabase(config.DATABASE_URL, { poolSize: config.DATABASE_POOL });
  const migrations = createMigrations(database, join(import.meta.dirname, '..', 'migrations'));
  const store = await openFileStore(config);
  const domain = createDomain(database, keyring, domainSettings(config), observer, store);
  const bots = await createBots({
    domain,
    settings: { slack: slackSettings(config), discord: discordSettings(config) },
    links: createLinks(publicUrl(config)),
    onError,
  });
  const messengers = {
    webhook: createWebhookMessenger({
      webhooks: domain.webhooks,
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    }),
    ...bots.messengers,
  };
  const backend = createSequelizeBackend(database.sequelize);
  const jobs = buildJobs(domain, messengers);

  /** Migrates, and refuses keys that the database was not written with. Refuses with `unavailable` while it is away. */
  async function prepare(): Promise<void> {
    await migrations.up();
    await requireMatchingKeys(database, keyring);
  }

  return {
    config,
    keyring,
    createdFile,
    database,
    migrations,
    domain,
    bots,
    backend,
    jobs,
    prepare,
    close: database.close,
  };
}

/** Serves until asked to stop. A database that is away stops nothing: the process answers 503 and keeps trying. */
async function serve(config: Config): Promise<void> {
  if (config.WEB_PROCESSES > 1 && cluster.isPrimary) {
    const { createdFile } = await openKeys(config);
    if (createdFile !== undefined) process.stdout.write(firstRunBanner(publicUrl(config), createdFile));
    return runWebProcesses(config.WEB_PROCESSES);
  }
  await runService(config, config.JOBS, async (begun) => {
    const { service, logger } = begun;
    const bots = service.bots.listen();
    for (const name of service.bots.off) logger.info(`${name} is off: none of its settings is set`);
    const app = createApp({ ...appDependencies(begun), mounted: bots.endpoints });
    const uploadMs = config.MAX_UPLOAD_SECONDS * 1_000;
    const web = await listen(app, { host: config.HOST, port: config.PORT, uploadMs });
    logger.info({ url: publicUrl(config, web.port) }, 'listening');
    await bots.start(begun.ready);
    if (service.createdFile !== undefined) {
      process.stdout.write(firstRunBanner(publicUrl(config, web.port), service.createdFile));
    }
    return async () => {
      await Promise.all([web.drain(), bots.stop()]);
    };
  });
}

/** Runs the jobs until asked to stop, and tells of itself on WORKER_PORT, if there is one. */
async function work(config: Config): Promise<void> {
  await runService(config, true, async (begun) => {
    const { logger } = begun;
    logger.info('working');
    if (config.WORKER_PORT === undefined) return async () => {};
    const web = await listen(createMonitoringApp(appDependencies(begun)), {
      host: config.HOST,
      port: config.WORKER_PORT,
    });
    logger.info({ url: publicUrl({ ...config, BASE_URL: undefined }, web.port) }, 'listening');
    return web.drain;
  });
}

function appDependencies({ service: { config, domain }, logger, metrics, requireReady }: StartedService) {
  return {
    domain,
    requireReady,
    log: createLog(logger),
    settings: { baseUrl: publicUrl(config), trustedProxies: config.TRUSTED_PROXIES },
    metrics: {
      contentType: metrics.contentType,
      text: () => allMetrics(metrics.text),
      token: config.METRICS_TOKEN,
      isLoopback: isLoopback(config.HOST),
    },
  };
}

type ServiceContext = { service: Service; logger: Logger; warn: Warn; metrics: Metrics };
type StartedService = ServiceContext & { requireReady: () => void; ready: Promise<boolean> };
type StartService = (begun: StartedService) => Promise<() => Promise<void>>;

/** Opens the service, begins what `begin` begins and ends it when asked to stop; meanwhile runs jobs, if it is to. */
async function runService(config: Config, withJobs: boolean, begin: StartService): Promise<void> {
  const stopped = stopRequested();
  const { logger, flush } = openLog(config.LOG_LEVEL);
  try {
    const warn = warnSparingly(logger);
    const metrics = createMetrics();
    const service = await openService(config, {
      observer: {
        ...metrics.observer,
        deliveryFailed: (error) => warn('delivery failed', { error: describeError(error) }),
      },
      onError: (what, error) => warn(`${what} failed`, { error: describeError(error) }),
    });
    metrics.addReadings({
      outbox: service.domain.notices.backlog,
      overdue: service.domain.sweeps.overdue,
      overdueFiles: service.domain.files.overdue,
      connections: service.database.connections,
    });
    const readiness = createReadiness(service.prepare, {
      stopped,
      onRetry: (error) => warn('waiting for the database', { error: describeError(error) }),
    });
    const parts = { service, logger, warn, metrics };
    const end = await begin({ ...parts, requireReady: readiness.requireReady, ready: readiness.settled });
    const endJobs = withJobs ? runJobs(parts, readiness.settled) : async () => {};
    await Promise.race([stopped, readiness.failed]);
    logger.info('stopping');
    await Promise.all([end(), endJobs()]);
    await readiness.settled;
    await service.close();
  } finally {
    flush();
  }
  process.exit(); // for half a lock's time Agenda leaves timers behind that would keep it
}

/** Runs the jobs from when the database is ready; gives the way to end them. */
function runJobs(
  { service: { backend, jobs, domain }, warn, metrics }: ServiceContext,
  ready: Promise<boolean>,
): () => Promise<void> {
  const scheduler = createScheduler({
    backend,
    jobs,
    onRun(name, ms, error) {
      metrics.jobRan(name, ms, error);
      if (error !== undefined) warn('job failed', { job: name, error: describeError(error) });
    },
    onError: (error) => warn('scheduler in trouble', { error: describeError(error) }),
  });
  domain.notices.onWritten(() => scheduler.nudge('deliver-notices'));
  ready.then((isReady) => (isReady ? scheduler.start() : undefined));
  return scheduler.stop;
}

loadDotEnv();
await runCommandLine({ openService, serve, work });
