import { existsSync } from 'node:fs';
import { type Config, keyFileOf } from '../config.ts';
import { type Keyring, parseKeyring } from '../crypto/keyring.ts';
import { ConfigError } from '../errors.ts';
import { createKeyFile, type KeyFile, readKeyFile } from './keyFile.ts';

/** The keys of the service, and the path of the key file if it was just created. */
export type OpenedKeys = { keyring: Keyring; createdFile?: string };

/**
 * Reads the keys from MASTER_KEYS and PEPPER, or from the key file. Creates a key file only on the first start with
 * the embedded database. Throws ConfigError with one line that says what to do.
 */
export async function openKeys(config: Config): Promise<OpenedKeys> {
  const { MASTER_KEYS, PEPPER } = config;
  if (MASTER_KEYS !== undefined) return { keyring: parse(MASTER_KEYS, PEPPER, 'MASTER_KEYS') };
  const path = keyFileOf(config);
  const isCreated = (await isFirstStart(config, path)) && (await createKeyFile(path));
  const file = await readKeyFile(path);
  if (file === undefined) {
    throw new ConfigError(`There are no keys: set MASTER_KEYS and PEPPER, or put a key file at ${path}.`);
  }
  const keyring = parse(file.masterKeys, PEPPER ?? file.pepper, path);
  return isCreated ? { keyring, createdFile: path } : { keyring };
}

/** The keys in use as the contents of a key file, wherever they come from. Creates none. */
export async function readKeys(config: Config): Promise<KeyFile | undefined> {
  const { MASTER_KEYS: masterKeys, PEPPER: pepper } = config;
  if (masterKeys !== undefined) return { masterKeys, pepper };
  const file = await readKeyFile(keyFileOf(config));
  return file && { ...file, pepper: pepper ?? file.pepper };
}

/** The keyring of keys that were read. Throws ConfigError. */
export function keyringOf({ masterKeys, pepper }: KeyFile, config: Config): Keyring {
  return parse(masterKeys, pepper, config.MASTER_KEYS === undefined ? keyFileOf(config) : 'MASTER_KEYS');
}

async function isFirstStart({ DATABASE_URL, MASTER_KEYS_FILE }: Config, keyFile: string): Promise<boolean> {
  if (!DATABASE_URL.startsWith('sqlite:') || MASTER_KEYS_FILE !== undefined || existsSync(keyFile))
    return false;
  const database = DATABASE_URL.slice('sqlite:'.length);
  if (!existsSync(database)) return true;
  throw new ConfigError(
    `The key file ${keyFile} is missing, and ${database} cannot be decrypted without it. Restore the file.`,
  );
}

function parse(masterKeys: string, pepper: string | undefined, source: string): Keyring {
  if (pepper === undefined)
    throw new ConfigError(`There is no pepper: set PEPPER, or add a line PEPPER=… to ${source}.`);
  try {
    return parseKeyring(masterKeys, pepper);
  } catch (error) {
    throw new ConfigError(`The keys are not usable: ${(error as Error).message}.`);
  }
}
