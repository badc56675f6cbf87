import type { Database } from '../database/database.ts';
import { createMigrations, type Migrations, ownMigrations } from '../database/migrations.ts';
import { fingerprintOf, readChanges } from '../database/schemaCheck.ts';
import { placeRows, placeSqlite, type SnapshotMark } from '../database/snapshot.ts';
import type { Domain, FileStore } from '../domain/index.ts';
import { type ArchiveContents, DamagedArchive, readContents, useEntries } from './archive.ts';
import { databaseNames, filesFolder, type Manifest, parseManifest } from './manifest.ts';

/** A backup of which every byte was read and compared with its own checksums. Its seal is another matter. */
export type Backup = ArchiveContents & { about: Manifest };

/** Reads every byte of an archive. Throws DamagedArchive, and EarlyBackup. */
export async function openBackup(path: string): Promise<Backup> {
  const contents = await readContents(path);
  return { ...contents, about: parseManifest(contents.manifest) };
}

/** Refuses a backup whose tables are not those that the migrations of this version make. */
export async function requireKnownSchema({ version, schema }: Manifest): Promise<void> {
  const changes = await readChanges(ownMigrations);
  if (schema.migrations.some((name) => !(name in changes)))
    throw new Error(`The backup is of version ${version}, which is newer. Restore it with that version.`);
  if (fingerprintOf(schema.migrations, changes) !== schema.fingerprint)
    throw new Error(
      `The backup is of version ${version}, whose tables are not those of this version. Restore it with that version.`,
    );
}

/**
 * Puts the SQLite database of a backup in the place of another, which nothing may have open. The database is marked, so
 * until `restoration.finish` nothing serves it.
 */
export async function restoreSqlite(backup: Backup, file: string): Promise<void> {
  await useDatabase(backup, (bytes) => placeSqlite(bytes, file, requireOurs));
}

/** Does the same on a server, in a database without tables of ours. A failure leaves it without any. */
export async function restoreRows(
  backup: Backup,
  url: string,
  { migrations, mark }: { migrations: Migrations; mark: SnapshotMark },
): Promise<void> {
  const { schema, takenAt } = backup.about;
  await useDatabase(backup, async (bytes) => {
    await migrations.up(schema.migrations);
    try {
      const tables = await migrations.tables(schema.migrations);
      await placeRows(bytes, { url, tables }, mark.insert(Date.parse(takenAt)));
    } catch (error) {
      await migrations.down(0);
      throw error;
    }
  });
}

async function useDatabase(
  backup: Backup,
  use: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const database = databaseNames[backup.about.database];
  if (!backup.sums.has(database)) throw new DamagedArchive(`${backup.path} has no database.`);
  await useEntries(backup, async (name, bytes) => {
    if (name === database) await use(bytes);
  });
}

/** A file may hold what no migration makes, and SQLite would run it. */
async function requireOurs(draft: Database): Promise<void> {
  const programs = "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')";
  const found =
    (await draft.select(programs, {})).length > 0
      ? 'It has triggers or views.'
      : await createMigrations(draft, ownMigrations).problem();
  if (found !== undefined) throw new DamagedArchive(`The database in the backup cannot be used. ${found}`);
}

/** Puts back the files of pushes that live on. Returns how many. */
export async function restoreFiles(
  backup: Backup,
  { attached }: Pick<Domain['files'], 'attached'>,
  store: FileStore,
): Promise<number> {
  const entries = new Set<string>();
  for await (const name of attached()) entries.add(filesFolder + name);
  let count = 0;
  if (entries.size === 0) return count;
  await useEntries(backup, async (name, bytes) => {
    const object = name.slice(filesFolder.length);
    if (!entries.has(name) || (await store.sizeOf(object)) !== null) return;
    await store.put(object, bytes);
    count += 1;
  });
  return count;
}
