import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { readMysqlSnapshot } from '../database/snapshot.ts';
import type { Domain, FileStore } from '../domain/index.ts';
import { readArchive, verifyArchive } from './archive.ts';
import { databaseNames, filesFolder, keysName, type Manifest, parseManifest } from './manifest.ts';

/** Where the database of a backup goes: the file of an SQLite database, or the URL of a server. */
export type RestoreTarget = { file: string } | { url: string };

/** Checks every byte of an archive and returns its manifest. Throws DamagedArchive. */
export async function openBackup(path: string): Promise<Manifest> {
  return parseManifest(await verifyArchive(path));
}

/** The contents of the key file in an archive, if it has one. */
export async function readBackupKeys(path: string): Promise<string | undefined> {
  let keys: string | undefined;
  await readArchive(path, async (name, body) => {
    if (name === keysName) keys = await text(body);
  });
  return keys;
}

/**
 * Puts the database of a backup in place. Nothing may have it open, and a server's must have no tables of ours. The
 * database is marked, so until `restoration.finish` nothing serves it.
 */
export async function restoreDatabase(path: string, target: RestoreTarget): Promise<void> {
  const names: string[] = Object.values(databaseNames);
  await readArchive(path, async (name, body) => {
    if (!names.includes(name)) return;
    if ('url' in target) await readMysqlSnapshot(target.url, body);
    else await placeSqlite(body, target.file);
  });
}

async function placeSqlite(body: Readable, file: string): Promise<void> {
  const draft = `${file}.restoring`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(draft, { force: true });
  await pipeline(body, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
  // The log of the old database would be applied to the new one.
  for (const suffix of ['-wal', '-shm']) await rm(file + suffix, { force: true });
  await rename(draft, file);
}

/** Puts back the files of pushes that live on. Returns how many. */
export async function restoreFiles(
  path: string,
  { attached }: Pick<Domain['files'], 'attached'>,
  store: FileStore,
): Promise<number> {
  const entries = new Set<string>();
  for await (const name of attached()) entries.add(filesFolder + name);
  let count = 0;
  if (entries.size === 0) return count;
  await readArchive(path, async (name, body) => {
    const object = name.slice(filesFolder.length);
    if (!entries.has(name) || (await store.sizeOf(object)) !== null) return;
    await store.put(object, body);
    count += 1;
  });
  return count;
}
