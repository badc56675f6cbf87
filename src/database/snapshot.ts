import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connectDatabase, type Database } from './database.ts';
import { insertRows, readRows, type StoredTables } from './rows.ts';

/** A table that is empty in the source. In a copy, `insert` adds when it was taken. */
export type SnapshotMark = { table: string; insert(takenAt: number): string };

type Source = { database: Database; tables: StoredTables };

const newFile = { flags: 'wx', mode: 0o600, flush: true };

/**
 * Writes a consistent copy of the database to a new file while others read and write: a marked SQLite database, or the rows
 * of a server. Returns a time by the database's clock after which the copy has nothing.
 */
export async function writeSnapshot(
  { database, tables }: Source,
  path: string,
  mark: SnapshotMark,
): Promise<number> {
  if (database.dialect.name === 'sqlite') return copySqlite(database, path, mark);
  await pipeline(Readable.from(readRows(database, tables)), createWriteStream(path, newFile));
  return database.clock();
}

async function copySqlite(database: Database, path: string, mark: SnapshotMark): Promise<number> {
  await database.sequelize.query(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
  const takenAt = await database.clock();
  const copy = connectDatabase(`sqlite:${path}`, { poolSize: 1 });
  await copy.execute(mark.insert(takenAt), {}).finally(copy.close);
  return takenAt;
}

/** Puts an SQLite database in the place of another, which nothing may have open. `check` sees it before it gets there. */
export async function placeSqlite(
  bytes: AsyncIterable<Buffer>,
  file: string,
  check: (database: Database) => Promise<void>,
): Promise<void> {
  const draft = `${file}.restoring`;
  const removeBeside = async (path: string) => {
    for (const suffix of ['-wal', '-shm']) await rm(path + suffix, { force: true });
  };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(draft, { force: true });
  await removeBeside(draft);
  try {
    await pipeline(Readable.from(bytes), createWriteStream(draft, newFile));
    const database = connectDatabase(`sqlite:${draft}`, { poolSize: 1, readOnly: true });
    await check(database).finally(database.close);
    await removeBeside(draft);
    await removeBeside(file); // the log of the old database would be applied to the new one
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
    await removeBeside(draft);
  }
}

/** Adds the rows of a snapshot to the empty tables of a server. The mark comes first, so that a part of them has it too. */
export async function placeRows(
  bytes: AsyncIterable<Buffer>,
  { url, tables }: { url: string; tables: StoredTables },
  marking: string,
): Promise<void> {
  const database = connectDatabase(url, { poolSize: 1 });
  try {
    await database.execute(marking, {});
    await insertRows(database, tables, bytes);
  } finally {
    await database.close();
  }
}
