import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';

/** The servers to test on, separated by commas: one, or the nodes of a Galera cluster. */
const servers = process.env.TEST_DATABASE_URL?.split(',') ?? [];

/** Whether the tests run on a server: MariaDB, or MySQL, which speaks the same language. */
export const onMariadb = servers.length > 0;

/** An empty database of the kind that the tests run on. */
export interface FreshDatabase {
  url: string;
  /** Its address on each server. */
  urls: string[];
  drop(): Promise<void>;
}

/** Runs work outside of the caller's open transaction, as another caller would. */
export const asAnotherCaller: <T>(work: () => T) => T = AsyncLocalStorage.snapshot();

/** Creates an empty database that no other test sees. */
export function freshDatabase(): Promise<FreshDatabase> {
  return onMariadb ? freshMariadb() : freshSqlite();
}

/** An empty SQLite database, whatever the tests run on. */
export async function freshSqlite(): Promise<FreshDatabase> {
  const dir = await mkdtemp(join(tmpdir(), 'sqlite-'));
  const url = `sqlite:${join(dir, 'hushpush.db')}`;
  return {
    url,
    urls: [url],
    drop: () => rm(dir, { recursive: true, force: true }),
  };
}

async function freshMariadb(): Promise<FreshDatabase> {
  const [serverUrl = ''] = servers;
  const name = `hushpush_test_${randomBytes(6).toString('hex')}`;
  await runOnServer(serverUrl, `CREATE DATABASE ${name}`);
  return {
    url: new URL(`/${name}`, serverUrl).href,
    urls: servers.map((server) => new URL(`/${name}`, server).href),
    drop: () => runOnServer(serverUrl, `DROP DATABASE IF EXISTS ${name}`),
  };
}

/** Runs statements, separated by semicolons, on a database of a server. */
export async function runOnServer(url: string, sql: string): Promise<void> {
  await withConnection(url, (connection) => connection.query(sql));
}

/** The statements that make the tables of a database of a server, and their rows, in an empty one. */
export function dumpOf(url: string): Promise<string> {
  return withConnection(url, async (connection) => {
    const rowsOf = async (sql: string) =>
      (await connection.query<RowDataPacket[][]>({ sql, rowsAsArray: true }))[0];
    const statements = ['SET foreign_key_checks = 0'];
    for (const [table] of await rowsOf('SHOW TABLES')) {
      const [[, definition] = []] = await rowsOf(`SHOW CREATE TABLE ${table}`);
      statements.push(String(definition));
      const rows = await rowsOf(`SELECT * FROM ${table}`);
      if (rows.length > 0) statements.push(connection.format('INSERT INTO ?? VALUES ?', [table, rows]));
    }
    return statements.join(';\n');
  });
}

async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
