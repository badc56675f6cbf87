import { resolve } from 'node:path';
import { collectGarbage, type Handle, memory, openHandle } from './engine.ts';
import { isBusy } from './errors.ts';
import { createGate } from './gate.ts';
import type { Kind } from './kind.ts';
import type { Row } from './values.ts';

/** The rows of a statement, and for one that writes how many it changed. */
export type Outcome = { rows: Row[]; tally?: Row | undefined };

export type Store = ReturnType<typeof createStore>;
const stores = new Map<string, Store>();

/** The one store of a file, for all connections of this process; a store of its own for each that is in memory. */
export function storeOf(filename: string): Store {
  if (filename === memory) return createStore(memory);
  const path = resolve(filename);
  const store = stores.get(path) ?? createStore(path);
  stores.set(path, store);
  return store;
}

/** What the connections to one file share: the gate, a handle for autocommit, a handle for the transaction in the gate. */
function createStore(path: string) {
  const users = new Set<object>();
  const tableInfos = new Map<string, Row[]>();
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
  function autocommit(kind: Kind, sql: string, binds: Row): Outcome {
    const handle = plain();
    if (kind === 'write' || kind === 'schema') {
      handle.exec('BEGIN IMMEDIATE');
      try {
        const outcome = perform(handle, kind, sql, binds);
        handle.exec('COMMIT');
        return outcome;
      } catch (error) {
        rollback(handle);
        throw error;
      }
    }
    try {
      return perform(handle, kind, sql, binds);
    } catch (error) {
      if (isBusy(error)) retire(handle);
      throw error;
    }
  }

  function inTransaction(kind: Kind, sql: string, binds: Row): Outcome {
    if (kind === 'schema') isAltering = true;
    return perform(transactional(), kind, sql, binds);
  }

  function perform(handle: Handle, kind: Kind, sql: string, binds: Row): Outcome {
    if (kind !== 'read') {
      const rows = handle.all(sql, binds);
      if (kind === 'schema') forgetSchema();
      return { rows, tally: handle.tally() };
    }
    if (isAltering || !/^PRAGMA table_info\b/i.test(sql)) return { rows: handle.all(sql, binds) };
    // Sequelize asks this before every SELECT of a model. Another process may yet create a table that is unknown.
    const rows = tableInfos.get(sql) ?? handle.all(sql, binds);
    if (rows.length > 0) tableInfos.set(sql, rows);
    return { rows: rows.map((row) => ({ ...row })) };
  }

  /** The statements too: `node:sqlite` would give the old columns of a prepared SELECT * once more. */
  function forgetSchema(): void {
    for (const known of [tableInfos, handles.plain, handles.transactional]) known?.clear();
  }

  function settle(): void {
    if (isAltering) forgetSchema();
    isAltering = false;
  }

  function commit(): void {
    transactional().exec('COMMIT');
    settle();
  }

  /** Cannot fail: a handle that does not let go of its transaction is closed, which rolls back. */
  function rollback(handle = transactional()): void {
    try {
      handle.exec('ROLLBACK');
    } catch {
      if (handle.isInTransaction()) retire(handle);
    }
    settle();
  }

  function retire(handle: Handle): void {
    handle.close();
    if (handles.plain === handle) delete handles.plain;
    if (handles.transactional === handle) delete handles.transactional;
  }

  /** The last user to leave closes the file. */
  function release(user: object): void {
    users.delete(user);
    if (users.size > 0) return;
    stores.delete(path);
    for (const handle of new Set(Object.values(handles))) retire(handle);
    setImmediate(collectGarbage);
  }

  return {
    gate: createGate(),
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
