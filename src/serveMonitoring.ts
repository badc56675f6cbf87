import { localUrl } from './config.ts';
import { createMonitoringApp } from './monitoringApp.ts';
import { appDependencies, openServer, type ServeDependencies, type Serving } from './server.ts';

/** Listens for whoever watches a worker. */
export async function serveMonitoring(dependencies: ServeDependencies): Promise<Serving> {
  const { config, logger } = dependencies;
  const server = await openServer(createMonitoringApp(appDependencies(dependencies)), config, 'WORKER_PORT');
  logger.info({ url: localUrl(config, server.port) }, 'listening');
  return { stop: server.drain };
}
