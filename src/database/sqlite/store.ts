import { resolve } from 'node:path';
import { collectGarbage, type Handle, memory, type OpenOptions, openHandle } from './engine.ts';
import { isBusy } from './errors.ts';
import { createWriteLock } from './gate.ts';
import type { StatementKind } from './kind.ts';
import type { SqliteBinds, SqliteRow } from './values.ts';

/** The rows of a statement, and the number of changed rows if it writes. */
export type StatementResult = { rows: SqliteRow[]; changes?: SqliteRow | undefined };

export type SqliteFile = ReturnType<typeof createSqliteFile>;

const openFiles = new Map<string, SqliteFile>();
/** Files that this process closed. */
const closedPaths = new Set<string>();

/** The store of a file, shared by all connections of this process. Each in-memory database has its own. */
export function openSqliteFile(filename: string, options: OpenOptions): SqliteFile {
  if (filename === memory) return createSqliteFile(memory, options, () => {});
  const path = resolve(filename);
  const key = options.readOnly ? `${path} read-only` : path;
  const known = openFiles.get(key);
  if (known !== undefined) return known;
  if (closedPaths.has(path)) {
    collectGarbage(); // the file may have been replaced
    closedPaths.clear();
  }
  const store = createSqliteFile(path, options, () => {
    openFiles.delete(key);
    closedPaths.add(path);
  });
  openFiles.set(key, store);
  return store;
}

/**
 * What connections to one file share: the gate, a handle for autocommit, and a handle for the transaction that holds
 * the gate. Calls `onClosed` when the last of them leaves.
 */
function createSqliteFile(path: string, options: OpenOptions, onClosed: () => void) {
  const users = new Set<object>();
  const tableInfos = new Map<string, SqliteRow[]>();
  const handles: { plain?: Handle; transactional?: Handle } = {};
  let isAltering = false;

  function plain(): Handle {
    handles.plain ??= openHandle(path, options);
    return handles.plain;
  }

  function transactional(): Handle {
    handles.transactional ??= path === memory ? plain() : openHandle(path, options);
    return handles.transactional;
  }

  /**
   * Writes acquire their lock through `exec` first. In libsql, a prepared statement that is refused stays in
   * progress, and later writes of the handle are never committed (tursodatabase/libsql-client-ts#352).
   */
  function autocommit(kind: StatementKind, sql: string, binds: SqliteBinds): StatementResult {
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

  function inTransaction(kind: StatementKind, sql: string, binds: SqliteBinds): StatementResult {
    if (kind === 'schema') isAltering = true;
    return runStatement(transactional(), kind, sql, binds);
  }

  function runStatement(
    handle: Handle,
    kind: StatementKind,
    sql: string,
    binds: SqliteBinds,
  ): StatementResult {
    if (kind !== 'read') {
      const rows = handle.all(sql, binds);
      if (kind === 'schema') forgetSchema();
      return { rows, changes: handle.changes() };
    }
    if (isAltering || !/^PRAGMA table_info\b/i.test(sql)) return { rows: handle.all(sql, binds) };
    // Sequelize queries this before every SELECT of a model. Unknown tables are not cached, as another process may
    // create them.
    const rows = tableInfos.get(sql) ?? handle.all(sql, binds);
    if (rows.length > 0) tableInfos.set(sql, rows);
    return { rows: rows.map((row) => ({ ...row })) };
  }

  /** Also clears prepared statements, which refer to the old columns. */
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

  /** Never fails: a handle that cannot end its transaction is closed, which rolls it back. */
  function rollback(handle = transactional()): void {
    try {
      handle.exec('ROLLBACK');
    } catch {
      if (handle.isInTransaction()) closeHandle(handle);
    }
    endSchemaChange();
  }

  /** SQLite does this by itself only when the last statement is gone. Another process that reads may prevent it. */
  function checkpoint(): void {
    try {
      handles.plain?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {}
  }

  function closeHandle(handle: Handle): void {
    handle.close();
    if (handles.plain === handle) delete handles.plain;
    if (handles.transactional === handle) delete handles.transactional;
  }

  /** The last user closes the file, after it has moved what the write-ahead log holds into it. */
  function release(user: object): void {
    users.delete(user);
    if (users.size > 0) return;
    onClosed();
    if (!options.readOnly) checkpoint();
    for (const handle of new Set(Object.values(handles))) closeHandle(handle);
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
