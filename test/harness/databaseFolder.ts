import { join } from 'node:path';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { createKeyFile } from '../../src/runtime/keyFile.ts';
import { openFolder } from './cli.ts';
import { freshDatabase } from './database.ts';
import { newSharedSettings } from './process.ts';

export type DatabaseFolder = Awaited<ReturnType<typeof openDatabaseFolder>>;

/**
 * Creates a working folder and an empty database for the processes of one service, without rate limits. Their keys are in
 * the settings, or in a new `keyFile` in the folder.
 */
export async function openDatabaseFolder(
  settings: Record<string, string> = {},
  { keyFile }: { keyFile?: string } = {},
) {
  const { url, drop } = await freshDatabase();
  const shared =
    keyFile === undefined ? newSharedSettings(url) : { DATABASE_URL: url, MASTER_KEYS_FILE: keyFile };
  const folder = await openFolder({ ...shared, RATE_LIMITS: 'off', ...settings });
  if (keyFile !== undefined) await createKeyFile(join(folder.path, keyFile));

  return {
    ...folder,
    url,
    /** Connects to the database while some work runs. */
    async withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
      const database = connectDatabase(url, { poolSize: 1 });
      return work(database).finally(database.close);
    },
    /** Ends the processes, and removes the folder and the database. */
    async remove(): Promise<void> {
      await folder.remove();
      await drop();
    },
  };
}
