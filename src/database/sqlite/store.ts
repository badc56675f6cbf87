import { resolve } from 'node:path';
import { collectGarbage, type Handle, memory, openHandle } from './engine.ts';
import { isBusy } from './errors.ts';
import { createWriteLock } from './gate.ts';
import type { StatementKind } from './kind.ts';
import type { SqliteRow } from './values.ts';

/** The rows of a statement, and for one that writes how many it changed. */
export type StatementResult = { rows: SqliteRow[]; changes?: SqliteRow | undefined };

export type SqliteFile = ReturnType<typeof createSqliteFile>;
const stores = new Map<string, SqliteFile>();

/** The one store of a file, for all connections of this process; a store of its own for each that is in memory. */
export function openSqliteFile(filename: string): SqliteFile {
  if (filename === memory) return createSqliteFile(memory);
  const path = resolve(filename);
  const store = stores.get(path) ?? createSqliteFile(path);
  stores.set(path, store);
  return store;
}

/** What the connections to one file share: the gate, a handle for autocommit, a handle for the transaction in the gate. */
function createSqliteFile(path: string) {
  const users = new Set<object>();
  const tableInfos = new Map<string, SqliteRow[]>();
  const handles: { plain?: Handle; transactional?: Handle } = {};
  let isAltering = false;

  function plain(): Handle {
    handles.plain ??= openHandle(path);
    return handles.plain;
  }

  function transactional(): Handle {
    handles.transactional ??= path === memory ? plain() : openHandle(path);
    return handles.transactional;
  }

  /**
   * A write gets its lock from `exec` first: a prepared one that is refused stays in progress in libsql, and what the
   * handle writes afterwards is then never committed (tursodatabase/libsql-client-ts#352).
   */
  function autocommit(kind: StatementKind, sql: string, binds: SqliteRow): StatementResult {
    const handle = plain();
    if (kind === 'write' || kind === 'schema') {
      handle.exec('BEGIN IMMEDIATE');
      try {
        const outcome = runStatement(handle, kind, sql, binds);
        handle.exec('COMMIT');
        return outcome;
      } catch (error) {
        rollback(handle);
        throw error;
      }
    }
    try {
      return runStatement(handle, kind, sql, binds);
    } catch (error) {
      if (isBusy(error)) closeHandle(handle);
      throw error;
    }
  }

  function inTransaction(kind: StatementKind, sql: string, binds: SqliteRow): StatementResult {
    if (kind === 'schema') isAltering = true;
    return runStatement(transactional(), kind, sql, binds);
  }

  function runStatement(handle: Handle, kind: StatementKind, sql: string, binds: SqliteRow): StatementResult {
    if (kind !== 'read') {
      const rows = handle.all(sql, binds);
      if (kind === 'schema') forgetSchema();
      return { rows, changes: handle.changes() };
    }
    if (isAltering || !/^PRAGMA table_info\b/i.test(sql)) return { rows: handle.all(sql, binds) };
    // Sequelize asks this before every SELECT of a model. Another process may yet create a table that is unknown.
    const rows = tableInfos.get(sql) ?? handle.all(sql, binds);
    if (rows.length > 0) tableInfos.set(sql, rows);
    return { rows: rows.map((row) => ({ ...row })) };
  }

  /** The statements too: they were prepared for the old columns. */
  function forgetSchema(): void {
    for (const known of [tableInfos, handles.plain, handles.transactional]) known?.clear();
  }

  function endSchemaChange(): void {
    if (isAltering) forgetSchema();
    isAltering = false;
  }

  function commit(): void {
    transactional().exec('COMMIT');
    endSchemaChange();
  }

  /** Cannot fail: a handle that does not let go of its transaction is closed, which rolls back. */
  function rollback(handle = transactional()): void {
    try {
      handle.exec('ROLLBACK');
    } catch {
      if (handle.isInTransaction()) closeHandle(handle);
    }
    endSchemaChange();
  }

  function closeHandle(handle: Handle): void {
    handle.close();
    if (handles.plain === handle) delete handles.plain;
    if (handles.transactional === handle) delete handles.transactional;
  }

  /** The last user to leave closes the file. */
  function release(user: object): void {
    users.delete(user);
    if (users.size > 0) return;
    stores.delete(path);
    for (const handle of new Set(Object.values(handles))) closeHandle(handle);
    setImmediate(collectGarbage);
  }

  return {
    gate: createWriteLock(),
    users,
    plain,
    transactional,
    autocommit,
    inTransaction,
    commit,
    rollback,
    release,
  };
}
