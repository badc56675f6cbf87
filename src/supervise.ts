import { firstRunBanner } from './cli/banner.ts';
import { type Config, publicUrl } from './config.ts';
import { openDatabaseFolder } from './runtime/databaseFolder.ts';
import { openKeys } from './runtime/keys.ts';
import { openLog } from './runtime/log.ts';
import { runWebProcesses } from './runtime/processes.ts';

/** Starts the web processes and replaces those that end. Loads nothing of what they serve. */
export async function supervise(config: Config): Promise<void> {
  await openDatabaseFolder(config);
  const { createdFile } = await openKeys(config); // before several processes look for them
  if (createdFile !== undefined) process.stdout.write(firstRunBanner(publicUrl(config), createdFile));
  return runWebProcesses(config.WEB_PROCESSES, openLog(config.LOG_LEVEL).logger);
}
