import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { masterKeyEntries, newKey } from '../crypto/keyring.ts';
import { ConfigError } from '../errors.ts';

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
  return text === undefined ? undefined : parseKeyFile(text, path);
}

/** Reads the contents of a key file. Throws ConfigError, which names where they are from. */
export function parseKeyFile(text: string, source: string): KeyFile {
  const masterKeys = readSetting(text, 'MASTER_KEYS');
  if (masterKeys === undefined) throw new ConfigError(`The key file ${source} has no line MASTER_KEYS=…`);
  return { masterKeys, pepper: readSetting(text, 'PEPPER') };
}

/** The contents of a key file, as text. */
export function keyFileText({ masterKeys, pepper }: KeyFile): string {
  return `${header}MASTER_KEYS=${masterKeys}\n${pepper === undefined ? '' : `PEPPER=${pepper}\n`}`;
}

const newKeys = (): KeyFile => ({ masterKeys: `1:${newKey()}`, pepper: newKey() });

/**
 * Creates a key file that only its owner can read, with new keys unless some are given, unless there is one. If several
 * processes start together, exactly one creates it. Returns whether it was this one.
 */
export async function createKeyFile(path: string, keys = newKeys()): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = await writeDraft(path, keys);
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

/** Puts a new master key in front of the others in a key file. Returns its id, which is `idMin` or higher. */
export async function addMasterKey(path: string, idMin: number): Promise<number> {
  const file = await requireKeyFile(path);
  const id = Math.max(idMin, ...entriesOf(file).map((entry) => idOf(entry) + 1));
  await replaceMasterKeys(path, file, [`${id}:${newKey()}`, ...entriesOf(file)]);
  return id;
}

/** Removes a master key from a key file. It is gone then, unless there is a copy. */
export async function removeMasterKey(path: string, id: number): Promise<void> {
  const file = await requireKeyFile(path);
  const left = entriesOf(file).filter((entry) => idOf(entry) !== id);
  await replaceMasterKeys(path, file, left);
}

async function requireKeyFile(path: string): Promise<KeyFile> {
  const file = await readKeyFile(path);
  if (file !== undefined) return file;
  throw new ConfigError(`There is no key file ${path}; start the service once, or set MASTER_KEYS.`);
}

async function replaceMasterKeys(path: string, file: KeyFile, entries: string[]): Promise<void> {
  await rename(await writeDraft(path, { ...file, masterKeys: entries.join(',') }), path);
}

const entriesOf = ({ masterKeys }: KeyFile) => masterKeyEntries(masterKeys);

const idOf = (entry: string) => Number(entry.split(':')[0]);

async function writeDraft(path: string, keys: KeyFile): Promise<string> {
  // Not the process id: those of two containers are often the same.
  const draft = `${path}.${randomUUID()}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await chmod(draft, 0o600);
    await file.writeFile(keyFileText(keys));
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

function readSetting(text: string, name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1]?.trim();
}
