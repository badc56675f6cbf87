import type Koa from 'koa';
import type { Logger } from 'pino';
import type { Bots } from './bots/bots.ts';
import { activeChats, type Config, isLoopback, localUrl, lookFolderOf, publicUrl } from './config.ts';
import { ConfigError } from './errors.ts';
import { createHttpApp } from './http/app.ts';
import { createProxyTest } from './http/client.ts';
import { createLog } from './http/log.ts';
import { type Listening, listen } from './http/server.ts';
import type { Metrics } from './runtime/metrics/metrics.ts';
import type { Readiness } from './runtime/readiness.ts';
import type { Service } from './service.ts';
import { secondMs } from './time.ts';

export type ServeDependencies = {
  config: Config;
  service: Service;
  bots: Bots;
  readiness: Readiness;
  logger: Logger;
  metrics: Metrics;
};

/** What a process shows to the network, and the way to end it once what is in flight has finished. */
export type Serving = { stop(): Promise<void> };

/** Serves the metrics and probes of a worker. */
export async function serveMonitoring(dependencies: ServeDependencies): Promise<Serving> {
  const { config, logger } = dependencies;
  const server = await openServer(createHttpApp(monitored(dependencies)), config, 'WORKER_PORT');
  logger.info({ url: localUrl(config, server.port) }, 'listening');
  return { stop: () => server.drain(stopDelayMs(config)) };
}

/** What every app of a process is made of: log, health, metrics and settings. */
export function monitored({ config, service, readiness, logger, metrics }: ServeDependencies) {
  return {
    log: createLog(logger),
    metrics: { ...metrics, token: config.METRICS_TOKEN, isLoopback: isLoopback(config.HOST) },
    health: {
      requireReady: readiness.requireReady,
      requireStaying: readiness.requireStaying,
      async checkDatabase() {
        await service.migrations.requireApplied();
        await service.database.space.requireSpace();
      },
    },
    ...httpSettings(config),
  };
}

/** How long a process that is to stop still serves, for a proxy to learn of it. */
export const stopDelayMs = (config: Config): number => config.STOP_DELAY_SECONDS * secondMs;

/** What apps need to know of the settings. */
export const httpSettings = (config: Config) => ({
  baseUrl: publicUrl(config),
  trustedProxies: config.TRUSTED_PROXIES,
  allowedOrigins: config.ALLOWED_ORIGINS,
  requestsPerClient: config.MAX_CONNECTIONS_PER_CLIENT,
  operator: { name: config.OPERATOR_NAME, contact: config.OPERATOR_CONTACT },
  lookFolder: lookFolderOf(config),
  chats: activeChats(config).map(({ platform }) => platform),
});

/** Listens with an app on the port of a setting. */
export function openServer(app: Koa, config: Config, setting: 'PORT' | 'WORKER_PORT'): Promise<Listening> {
  const address = { host: config.HOST, port: config[setting] ?? 0 };
  return listen(app, {
    ...address,
    uploadMs: config.MAX_UPLOAD_SECONDS * 1_000,
    connections: { total: config.MAX_CONNECTIONS, perClient: config.MAX_CONNECTIONS_PER_CLIENT },
    isProxy: createProxyTest(config.TRUSTED_PROXIES),
  }).catch((error) => {
    throw explainListenError(error, { ...address, setting });
  });
}

type Address = { host: string; port: number; setting: 'PORT' | 'WORKER_PORT' };

/** Says what to set when an address cannot be listened on. A port that is taken may soon be free; the rest never works. */
function explainListenError(error: NodeJS.ErrnoException, { host, port, setting }: Address): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(
      `Port ${port} of ${host} is in use. Stop the program that uses it, or set ${setting} to another port.`,
    );
  if (error.code === 'EACCES')
    return new ConfigError(`This user may not listen on port ${port}. Set ${setting} to a port above 1023.`);
  if (['EADDRNOTAVAIL', 'ENOTFOUND'].includes(error.code ?? ''))
    return new ConfigError(
      `${host} is not an address of this machine. Set HOST to one, or to 0.0.0.0 for all.`,
    );
  return error;
}
