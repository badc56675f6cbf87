import type Koa from 'koa';
import { createHttpApp, type HttpAppDependencies } from './http/app.ts';
import type { HealthChecks } from './http/health.ts';
import type { HttpSettings } from './http/http.ts';

export type MonitoringDependencies = Pick<HttpAppDependencies, 'log' | 'metrics'> &
  HealthChecks & { settings: HttpSettings & Pick<HttpAppDependencies, 'requestsPerClient'> };

/** The app of a process that runs the jobs alone: health and metrics. */
export function createMonitoringApp(dependencies: MonitoringDependencies): Koa {
  return createHttpApp(monitoring(dependencies));
}

/** What every app has. */
export function monitoring({
  settings,
  log,
  metrics,
  requireReady,
  checkDatabase,
}: MonitoringDependencies): HttpAppDependencies {
  return { log, metrics, ...settings, health: { requireReady, checkDatabase } };
}
