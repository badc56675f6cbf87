import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '../config.ts';
import { newKey } from '../crypto/keyring.ts';

/** The contents of a key file: the settings `MASTER_KEYS` and `PEPPER`, one line each. */
export type KeyFile = { masterKeys: string; pepper: string | undefined };

const header =
  '# The keys of hushpush. Without them nothing in its database can be decrypted: back up this file.\n';

/** Reads a key file; undefined if there is none. Throws ConfigError, which names the file, never a key. */
export async function readKeyFile(path: string): Promise<KeyFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new ConfigError(`The key file ${path} cannot be read (${error.code}).`);
  });
  if (text === undefined) return undefined;
  const masterKeys = readSetting(text, 'MASTER_KEYS');
  if (masterKeys === undefined) throw new ConfigError(`The key file ${path} has no line MASTER_KEYS=…`);
  return { masterKeys, pepper: readSetting(text, 'PEPPER') };
}

/**
 * Creates a key file with new keys that only its owner can read, unless there is one. If several processes start
 * together, exactly one creates it. Returns whether it was this one.
 */
export async function createKeyFile(path: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = await writeDraft(path, { masterKeys: `1:${newKey()}`, pepper: newKey() });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Prepends a new master key to a key file, which makes it the active one. Returns its id. */
export async function addMasterKey(path: string): Promise<number> {
  const file = await readKeyFile(path);
  if (file === undefined)
    throw new ConfigError(`There is no key file ${path}; start the service once, or set MASTER_KEYS.`);
  const ids = file.masterKeys.split(',').map((entry) => Number(entry.split(':')[0]));
  const id = Math.max(0, ...ids) + 1;
  const draft = await writeDraft(path, { ...file, masterKeys: `${id}:${newKey()},${file.masterKeys}` });
  await rename(draft, path);
  return id;
}

async function writeDraft(path: string, { masterKeys, pepper }: KeyFile): Promise<string> {
  // Not the process id: those of two containers are often the same.
  const draft = `${path}.${randomUUID()}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await chmod(draft, 0o600);
    const lines = [`MASTER_KEYS=${masterKeys}\n`, ...(pepper === undefined ? [] : [`PEPPER=${pepper}\n`])];
    await file.writeFile(header + lines.join(''));
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

function readSetting(text: string, name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]?.trim();
}
