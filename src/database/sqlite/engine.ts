import { closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type Libsql from 'libsql';
import { callEngine, SqliteError } from './errors.ts';
import { fromSql, type SqliteBinds, type SqliteRow, toSql } from './values.ts';

/** Not libsql's `run`, which does not finish statements with RETURNING. */
type Native = InstanceType<typeof Libsql>;
type NativeStatement = Pick<ReturnType<Native['prepare']>, 'all'>;

/** The name of an in-memory database. */
export const memory = ':memory:';
const statementsMax = 100;
const settings = `PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY`;
const readOnlySettings = 'PRAGMA busy_timeout = 0; PRAGMA query_only = ON; PRAGMA temp_store = MEMORY';

const require = createRequire(import.meta.url);

/** Loads libsql. It is 9 MB of machine code, which a service on MySQL does not load. */
function openNative(path: string, { readOnly }: OpenOptions): Native {
  const Engine: typeof Libsql = require('libsql');
  try {
    // Creates the file or fails. Opening and closing a file that SQLite has open would release this process's locks
    // on it.
    if (path !== memory && !readOnly) closeSync(openSync(path, 'wx', 0o600));
  } catch {}
  try {
    return new Engine(readOnly ? readOnlyUri(path) : path);
  } catch {
    throw new SqliteError('CANTOPEN', 'unable to open the database file');
  }
}

/**
 * Opens a file for reading only. SQLite would create the files of a write-ahead log even then. `immutable` prevents that,
 * and is safe while there is no log, because then no process has the file open.
 */
function readOnlyUri(path: string): string {
  return `${pathToFileURL(path).href}?mode=ro${existsSync(`${path}-wal`) ? '' : '&immutable=1'}`;
}

export type Handle = ReturnType<typeof openHandle>;

/** `readOnly` opens a file without creating or changing anything. */
export type OpenOptions = { readOnly: boolean };

/** Opens a file, or creates it readable only by its owner. Uses a write-ahead log and syncs every commit to disk. */
export function openHandle(path: string, options: OpenOptions) {
  const native = openNative(path, options);
  const exec = (sql: string) => callEngine(() => native.exec(sql));
  try {
    exec(options.readOnly ? readOnlySettings : settings);
  } catch (error) {
    native.close();
    throw error;
  }
  const prepare = (sql: string) => callEngine(() => native.prepare(sql));
  const counts = prepare('SELECT last_insert_rowid() AS lastID, changes() AS changes');
  const statements = new Map<string, { statement: NativeStatement; names: string[] }>();

  /** Caches the most recently used statements that have only bound values. The text of others seldom repeats. */
  function prepareBound(sql: string) {
    const prepared = statements.get(sql) ?? { statement: prepare(sql), names: sql.match(/\$\w+/g) ?? [] };
    statements.delete(sql);
    statements.set(sql, prepared);
    const [oldest = sql] = statements.keys();
    if (statements.size > statementsMax) statements.delete(oldest);
    return prepared;
  }

  function all(sql: string, binds: SqliteBinds): SqliteRow[] {
    const bound = Object.keys(binds).length > 0;
    const { statement, names } = bound ? prepareBound(sql) : { statement: prepare(sql), names: [] };
    const values = Array.isArray(binds) ? binds.map(toSql) : namedValues(names, binds);
    const rows = callEngine(() => statement.all(values), { bound }) as SqliteRow[];
    return rows.map((row) => {
      const copy = { ...row };
      for (const name of Object.keys(copy)) copy[name] = fromSql(copy[name]);
      return copy;
    });
  }

  const changes = () => counts.all({})[0] as SqliteRow;
  return {
    exec,
    all,
    changes,
    isInTransaction: () => native.inTransaction,
    clear: () => statements.clear(),
    close: () => native.close(),
  };
}

function namedValues(names: string[], binds: SqliteRow): SqliteRow {
  const values: SqliteRow = {};
  for (const name of names) if (name in binds) values[name.slice(1)] = toSql(binds[name]);
  return values;
}

/** Releases closed files: libsql keeps them open until their statements are collected (tursodatabase/libsql-js#228). */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
