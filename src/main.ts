#!/usr/bin/env node
import cluster from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import { createApp } from './api/app.ts';
import { createLog, describeError } from './api/log.ts';
import { listen } from './api/server.ts';
import { firstRunBanner } from './cli/banner.ts';
import { runCommandLine } from './cli/program.ts';
import { type Config, domainSettings, loadDotEnv, publicUrl } from './config.ts';
import { connectDatabase } from './domain/database.ts';
import { asRefusal, createDomain, unavailable } from './domain/index.ts';
import { requireMatchingKeys } from './domain/keyChecks.ts';
import { createMigrations } from './domain/migrations.ts';
import { openKeys } from './keys.ts';
import { askedToStop, runWebProcesses } from './processes.ts';

/** What every command works with: the keys, the database and the domain over both. */
export type Service = Awaited<ReturnType<typeof openService>>;

async function openService(config: Config) {
  const { keyring, madeFile } = await openKeys(config);
  const database = connectDatabase(config.DATABASE_URL, { poolSize: config.DATABASE_POOL });
  const migrations = createMigrations(database, join(import.meta.dirname, '..', 'migrations'));
  const domain = createDomain(database, keyring, domainSettings(config));

  /** Migrates, and refuses keys that the database was not written with. Refuses with `unavailable` while it is away. */
  async function prepare(): Promise<void> {
    await migrations.up();
    await requireMatchingKeys(database, keyring);
  }

  return { config, keyring, madeFile, database, migrations, domain, prepare, close: database.close };
}

/** Serves until asked to stop. A database that is away stops nothing: the process answers 503 and keeps trying. */
async function serve(config: Config): Promise<void> {
  if (config.WEB_PROCESSES > 1 && cluster.isPrimary) {
    const { madeFile } = await openKeys(config);
    if (madeFile !== undefined) process.stdout.write(firstRunBanner(publicUrl(config), madeFile));
    return runWebProcesses(config.WEB_PROCESSES);
  }
  const stopped = askedToStop();
  const { logger, flush } = openLog(config.LOG_LEVEL);
  try {
    const service = await openService(config);
    const readiness = becomeReady(service, logger, stopped);
    const app = createApp({
      domain: service.domain,
      log: createLog(logger),
      settings: { baseUrl: publicUrl(config), trustedProxies: config.TRUSTED_PROXIES },
      requireReady: readiness.require,
    });
    const web = await listen(app, { host: config.HOST, port: config.PORT });
    logger.info({ url: publicUrl(config, web.port) }, 'listening');
    if (service.madeFile !== undefined) {
      process.stdout.write(firstRunBanner(publicUrl(config, web.port), service.madeFile));
    }
    await Promise.race([stopped, readiness.failed]);
    logger.info('stopping');
    await web.drain();
    await readiness.settled;
    await service.close();
  } finally {
    flush();
  }
}

/** Lines leave in blocks of 4 KiB, but no later than after a quarter of a second: a write for each would cost the requests. */
function openLog(level: string) {
  const destination = pino.destination({ sync: false, minLength: 4_096 });
  setInterval(() => destination.flush(), 250).unref();
  const logger = pino({ level }, destination);
  // Sequelize tells of a failed COMMIT on the console
  console.warn = () => logger.warn('a library warned');
  return { logger, flush: () => destination.flushSync() };
}

/** Prepares the database for as long as that takes. `failed` rejects when it never will, such as with the wrong keys. */
function becomeReady(service: Service, logger: Logger, stopped: Promise<void>) {
  let isReady = false;
  let isStopping = false;
  stopped.then(() => {
    isStopping = true;
  });

  async function prepare(): Promise<void> {
    for (let waitMs = 100; !isStopping; waitMs = Math.min(2 * waitMs, 2_000)) {
      try {
        await service.prepare();
        isReady = true;
        return;
      } catch (error) {
        if (asRefusal(error) === undefined) throw error;
        logger.warn({ error: describeError(error) }, 'waiting for the database');
        await Promise.race([sleep(waitMs), stopped]);
      }
    }
  }

  const prepared = prepare();
  return {
    require: () => {
      if (!isReady) throw unavailable('The service is starting, or waits for its database.');
    },
    failed: new Promise<never>((_resolve, reject) => {
      prepared.catch(reject);
    }),
    settled: prepared.catch(() => {}),
  };
}

loadDotEnv();
await runCommandLine({ openService, serve });
