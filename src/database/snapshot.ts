import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { connectDatabase, type Database } from './database.ts';
import { parseMysqlUrl } from './mysql.ts';
import { clientPrograms, dumpPrograms, runMysqlProgram } from './programs.ts';

type Source = { url: string; database: Database };

/** A table that is empty in the source. In a copy, `insert` adds when it was taken. */
export type SnapshotMark = { table: string; insert(takenAt: number): string };

const charset = '--default-character-set=utf8mb4';
const dumpOptions = [
  '--single-transaction',
  '--quick',
  '--skip-lock-tables',
  '--hex-blob',
  '--no-tablespaces',
];

/**
 * Writes a consistent and marked copy of the database to a new file while others read and write: an SQLite database, or
 * SQL for a server. Returns a time by the database's clock after which the copy has nothing.
 */
export async function writeSnapshot(source: Source, path: string, mark: SnapshotMark): Promise<number> {
  return source.database.dialect.name === 'sqlite'
    ? copySqlite(source, path, mark)
    : dumpMysql(source, path, mark);
}

async function copySqlite({ database }: Source, path: string, mark: SnapshotMark): Promise<number> {
  await database.sequelize.query(`VACUUM INTO '${path.replaceAll("'", "''")}'`);
  const takenAt = await database.clock();
  const copy = connectDatabase(`sqlite:${path}`, { poolSize: 1 });
  await copy.execute(mark.insert(takenAt), {}).finally(copy.close);
  return takenAt;
}

/** The mark comes first, so that a copy of which only a part was read has it too. */
async function dumpMysql({ url, database }: Source, path: string, mark: SnapshotMark): Promise<number> {
  const { database: name } = parseMysqlUrl(url);
  const created = await database.select<{ 'Create Table': string }>(`SHOW CREATE TABLE ${mark.table}`, {});
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const drop = `DROP TABLE IF EXISTS ${mark.table};`;
  file.write(`${drop}\n${created[0]?.['Create Table']};\n${mark.insert(await database.clock())};\n`);
  const args = [...dumpOptions, charset, `--ignore-table=${name}.${mark.table}`, name];
  try {
    await runMysqlProgram(dumpPrograms, url, { args, output: file });
    const takenAt = await database.clock();
    file.end(`\n${mark.insert(takenAt)};\n`);
    await finished(file);
    return takenAt;
  } finally {
    file.destroy();
  }
}

/** Reads a snapshot of a server, as SQL, into an empty database of another. */
export async function readMysqlSnapshot(url: string, sql: Readable): Promise<void> {
  const { database: name } = parseMysqlUrl(url);
  await runMysqlProgram(clientPrograms, url, { args: ['--batch', charset, name], input: sql });
}
