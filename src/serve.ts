import type Koa from 'koa';
import type { Logger } from 'pino';
import { createApp, createMonitoringApp } from './app.ts';
import { firstRunBanner } from './cli/banner.ts';
import { type Config, isLoopback, localUrl, publicUrl } from './config.ts';
import { createProxyTest } from './http/client.ts';
import { createLog } from './http/log.ts';
import { type Listening, listen } from './http/server.ts';
import { explainListenError } from './runtime/listenError.ts';
import { listeningTurn } from './runtime/listeningTurn.ts';
import type { Metrics } from './runtime/metrics.ts';
import type { Readiness } from './runtime/readiness.ts';
import type { Service } from './service.ts';

type Dependencies = {
  config: Config;
  service: Service;
  readiness: Readiness;
  logger: Logger;
  metrics: Metrics;
};

/** What a process shows to the network, and the way to end it once what is in flight has finished. */
export type Serving = { stop(): Promise<void> };

/** Listens for people, programs and chats; as a worker, for whoever watches it, where WORKER_PORT is set. */
export async function serve(role: 'web' | 'worker', dependencies: Dependencies): Promise<Serving> {
  return role === 'web' ? serveWeb(dependencies) : serveMonitoring(dependencies);
}

async function serveWeb(dependencies: Dependencies): Promise<Serving> {
  const { config, service, readiness, logger } = dependencies;
  const chats = service.bots.listen();
  const app = createApp({ ...appDependencies(dependencies), mounted: chats.endpoints });
  if (!(await listeningTurn(readiness.settled))) return { stop: chats.stop };
  const server = await openServer(app, config, 'PORT');
  for (const name of service.bots.off) logger.info(`${name} is disabled: it is not configured`);
  const url = publicUrl(config, server.port);
  logger.info({ url }, 'listening');
  await chats.start(readiness.settled);
  if (service.createdFile) process.stdout.write(firstRunBanner(url, service.createdFile));
  return {
    async stop() {
      await Promise.all([server.drain(), chats.stop()]);
    },
  };
}

async function serveMonitoring(dependencies: Dependencies): Promise<Serving> {
  const { config, logger } = dependencies;
  logger.info('worker started');
  if (config.WORKER_PORT === undefined) return { stop: async () => {} };
  const app = createMonitoringApp(appDependencies(dependencies));
  const server = await openServer(app, config, 'WORKER_PORT');
  logger.info({ url: localUrl(config, server.port) }, 'listening');
  return { stop: server.drain };
}

function openServer(app: Koa, config: Config, setting: 'PORT' | 'WORKER_PORT'): Promise<Listening> {
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

function appDependencies({ config, service, readiness, logger, metrics }: Dependencies) {
  return {
    domain: service.domain,
    log: createLog(logger),
    settings: {
      baseUrl: publicUrl(config),
      trustedProxies: config.TRUSTED_PROXIES,
      allowedOrigins: config.ALLOWED_ORIGINS,
      requestsPerClient: config.MAX_CONNECTIONS_PER_CLIENT,
    },
    metrics: { ...metrics, token: config.METRICS_TOKEN, isLoopback: isLoopback(config.HOST) },
    requireReady: readiness.requireReady,
    checkDatabase: service.migrations.requireApplied,
  };
}
