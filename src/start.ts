import cluster from 'node:cluster';
import type { Config } from './config.ts';

/** Serves, or supervises the processes that do. */
export async function start(config: Config): Promise<void> {
  const isSupervisor = config.WEB_PROCESSES > 1 && cluster.isPrimary;
  if (isSupervisor) await (await import('./supervise.ts')).supervise(config);
  else await (await import('./run.ts')).run(config, 'web');
}
