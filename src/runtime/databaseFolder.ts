import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Config, databaseFileOf } from '../config.ts';
import { ConfigError } from '../errors.ts';

/** Errors that no waiting ends. ENOENT: Node says so of a folder that it cannot create because the disk is read-only. */
const lasting = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT'];

/** Creates the folder of the embedded database. Throws ConfigError if this user may not write there. */
export async function openDatabaseFolder(config: Config): Promise<void> {
  const file = databaseFileOf(config);
  if (file === undefined) return;
  const folder = dirname(file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
    await access(file, constants.W_OK).catch(ignoreMissing);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!lasting.includes(code)) throw error;
    throw new ConfigError(
      `The database ${file} cannot be written to (${code}). Allow the user of the service to write to ${folder}, or set DATABASE_URL to another place.`,
    );
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
