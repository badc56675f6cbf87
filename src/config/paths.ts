import { resolve } from 'node:path';
import type { Config } from './schema.ts';

/** The absolute path of the key file; unless set, `master.key` beside the embedded database, or in `data`. */
export function keyFileOf(config: Config): string {
  const { MASTER_KEYS_FILE } = config;
  return MASTER_KEYS_FILE === undefined ? inDataFolder(config, 'master.key') : resolve(MASTER_KEYS_FILE);
}

/** The absolute path of the folder for files; unless set, `files` beside the embedded database, or in `data`. */
function filesFolderOf(config: Config): string {
  const { FILES_DIR } = config;
  return FILES_DIR === undefined ? inDataFolder(config, 'files') : resolve(FILES_DIR);
}

function inDataFolder(config: Config, name: string): string {
  const database = databaseFileOf(config);
  return database === undefined ? resolve('data', name) : resolve(database, '..', name);
}

/** The absolute path of the embedded database; undefined with any other. */
export function databaseFileOf({ DATABASE_URL }: Config): string | undefined {
  return DATABASE_URL.startsWith('sqlite:') ? DATABASE_URL.slice('sqlite:'.length) : undefined;
}

/** The absolute path of the database of places; undefined if there is none. */
export function geoDatabaseOf({ GEOIP_DATABASE }: Config): string | undefined {
  return GEOIP_DATABASE === undefined ? undefined : resolve(GEOIP_DATABASE);
}

/** The absolute path of the folder with the operator's own look; undefined if there is none. */
export function lookFolderOf({ LOOK_DIR }: Config): string | undefined {
  return LOOK_DIR === undefined ? undefined : resolve(LOOK_DIR);
}

/** A bucket if FILES_URL is set, else a folder. */
export function fileStoreSettings(config: Config) {
  return config.FILES_URL === undefined
    ? { folder: filesFolderOf(config) }
    : { ...config.FILES_URL, endpoint: config.AWS_ENDPOINT_URL_S3 ?? config.AWS_ENDPOINT_URL };
}
