import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Database } from '../database/database.ts';
import type { Migrations } from '../database/migrations.ts';
import { writeSnapshot } from '../database/snapshot.ts';
import type { Domain, FileStore } from '../domain/index.ts';
import { isoTime } from '../time.ts';
import { type AddEntry, addText, keysName, manifestName, writeArchive } from './archive.ts';
import { databaseNames, filesFolder, type Manifest } from './manifest.ts';

type Dependencies = {
  database: Database;
  migrations: Migrations;
  domain: Pick<Domain, 'processes' | 'files' | 'restoration'>;
  fileStore: FileStore;
  version: string;
  /** Makes the seal of the checksums. */
  seal: (sums: string) => string;
};

type BackupOptions = {
  /** Leaves the files out. */
  withFiles: boolean;
  /** The contents of a key file to put into the archive. */
  keys?: string | undefined;
};

export type BackupResult = { takenAt: string; files: number; whileServing: boolean };

/**
 * Writes a backup while the service runs. The copy of the database comes first: every file that it knows was stored
 * before. A file that is gone by the time it is copied belonged to a push that has ended since.
 */
export async function backUp(
  { database, migrations, domain, fileStore, version, seal }: Dependencies,
  path: string,
  { withFiles, keys }: BackupOptions,
): Promise<BackupResult> {
  const { processes, restoration, files } = domain;
  // In a folder of its own because SQLite puts other files beside it.
  const folder = join(dirname(resolve(path)), `.hushpush-${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    const snapshot = join(folder, 'snapshot');
    const servedBefore = await processes.count();
    const { applied } = await migrations.status();
    const source = { database, tables: await migrations.tables(applied) };
    const takenAt = await writeSnapshot(source, snapshot, restoration.mark);
    const manifest: Manifest = {
      format: 2,
      version,
      schema: { migrations: applied, fingerprint: await migrations.fingerprint(applied) },
      takenAt: isoTime(takenAt),
      database: database.dialect.name,
      whileServing: servedBefore + (await processes.count()) > 0,
      withKeys: keys !== undefined,
    };
    let copied = 0;
    await writeArchive(path, seal, async (add) => {
      await addText(add, manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
      const { size } = await stat(snapshot);
      await add(databaseNames[manifest.database], size, createReadStream(snapshot));
      if (keys !== undefined) await addText(add, keysName, keys);
      if (withFiles) copied = await addFiles(add, files.attached(), fileStore);
    });
    await restoration.noteBackup(takenAt);
    return { takenAt: manifest.takenAt, files: copied, whileServing: manifest.whileServing };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** From the folder or from S3. Returns how many. */
async function addFiles(add: AddEntry, names: AsyncIterable<string>, store: FileStore): Promise<number> {
  let count = 0;
  for await (const name of names) {
    const size = await store.sizeOf(name);
    const bytes = size === null ? null : await store.read(name, { start: 0, end: size });
    if (size === null || bytes === null) continue;
    await add(filesFolder + name, size, bytes);
    count += 1;
  }
  return count;
}
