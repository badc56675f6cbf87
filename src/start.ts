import cluster from 'node:cluster';
import { type Config, publicUrl } from './config.ts';
import { firstRunBanner } from './runtime/banner.ts';
import { openDatabaseFolder } from './runtime/databaseFolder.ts';
import { openKeys } from './runtime/keys.ts';
import { openLog } from './runtime/log.ts';
import { runWebProcesses } from './runtime/processes.ts';
import { beginStartup } from './runtime/startup.ts';

/** Serves, or supervises the processes that do. */
export async function start(config: Config): Promise<void> {
  const isSupervisor = config.WEB_PROCESSES > 1 && cluster.isPrimary;
  await (isSupervisor ? supervise(config) : startProcess(config, 'web'));
}

/** Runs the jobs. */
export const work = (config: Config): Promise<void> => startProcess(config, 'worker');

/** Starts the web processes and replaces those that end. Loads nothing of what they serve. */
async function supervise(config: Config): Promise<void> {
  await openDatabaseFolder(config);
  const { createdFile } = await openKeys(config); // before several processes look for them
  if (createdFile !== undefined) process.stdout.write(firstRunBanner(publicUrl(config), createdFile));
  return runWebProcesses(config.WEB_PROCESSES, openLog(config.LOG_LEVEL).logger);
}

async function startProcess(config: Config, role: 'web' | 'worker'): Promise<void> {
  beginStartup();
  await (await import('./run.ts')).run(config, role);
}
