import cluster from 'node:cluster';
import type { Config } from './config.ts';
import { beginStartup } from './runtime/startup.ts';

/** Serves, or supervises the processes that do. */
export async function start(config: Config): Promise<void> {
  const isSupervisor = config.WEB_PROCESSES > 1 && cluster.isPrimary;
  if (isSupervisor) await (await import('./supervise.ts')).supervise(config);
  else await startProcess(config, 'web');
}

/** Runs the jobs. */
export const work = (config: Config): Promise<void> => startProcess(config, 'worker');

async function startProcess(config: Config, role: 'web' | 'worker'): Promise<void> {
  beginStartup();
  await (await import('./run.ts')).run(config, role);
}
