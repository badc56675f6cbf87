/* Long because Sequelize expects all of it on one class, like `Database` of the sqlite3 package. */

import { Sequelize } from 'sequelize';
import { sharedOptions } from '../dialect.ts';
import { busyTimeoutMs, SqliteError } from './errors.ts';
import { retryWhileBusy } from './gate.ts';
import { kindOf, type StatementKind } from './kind.ts';
import { isInScope } from './scope.ts';
import { openSqliteFile, type SqliteFile, type StatementResult } from './store.ts';
import type { SqliteBinds, SqliteRow } from './values.ts';

type Done = (this: Statement, error: Error | null, rows?: SqliteRow[]) => void;

const outsideTransaction =
  'A statement ran outside the transaction that this call has open: use tx.select, tx.execute or tx.model.';

/** Sequelize trusts `lastID` and `changes` only of a class with this name. */
class Statement {}

/** A connection as Sequelize sees it: one for everything outside transactions, and a new one per transaction. */
class Database {
  readonly filename: string;
  uuid: string | undefined;
  readonly #store: SqliteFile;
  #isClosed = false;
  #inTransaction = false;
  #isDoomed = false;

  constructor(filename: string, mode: number, opened: (error: Error | null) => void) {
    this.filename = filename;
    this.#store = openSqliteFile(filename, { readOnly: mode === sqliteDriver.OPEN_READONLY });
    this.#store.users.add(this);
    retryWhileBusy(() => this.#open().plain(), performance.now() + busyTimeoutMs).then(
      () => setImmediate(opened, null),
      (error) => setImmediate(opened, error),
    );
  }

  serialize(work: () => unknown): void {
    work();
  }

  run(sql: string, binds: SqliteBinds = {}, done?: Done): void {
    // Already on for every handle. Sequelize may just have turned it off for the handle of plain statements.
    if (sql !== 'PRAGMA FOREIGN_KEYS=ON') this.all(sql, binds, done);
  }

  all(sql: string, binds: SqliteBinds | Done, done?: Done): void {
    if (typeof binds === 'function') this.#answer(sql, {}, binds as Done);
    else this.#answer(sql, binds, done);
  }

  close(done?: (error: null) => void): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#rollback();
      this.#store.release(this);
    }
    // Garbage is collected in the next turn, and finalizers run after that.
    setImmediate(() => setImmediate(() => done?.(null)));
  }

  /** Responds in a later turn of the event loop, or a chain of statements would starve everything else. */
  async #answer(sql: string, binds: SqliteBinds, done?: Done): Promise<void> {
    const statement = new Statement();
    try {
      const { rows, changes } = await this.#perform(sql, binds);
      Object.assign(statement, changes);
      setImmediate(() => done?.call(statement, null, rows));
    } catch (error) {
      setImmediate(() => done?.call(statement, error as Error));
    }
  }

  async #perform(sql: string, binds: SqliteBinds): Promise<StatementResult> {
    const deadline = performance.now() + busyTimeoutMs;
    const kind = kindOf(sql);
    if (kind !== 'rollback' && !this.#inTransaction && isInScope(this.filename))
      throw new SqliteError('MISUSE', outsideTransaction);
    if (kind === 'begin') return this.#begin(deadline);
    if (kind === 'commit') return this.#commit(deadline);
    if (kind === 'rollback') return this.#rollback();
    if (this.#inTransaction) return this.#continue(kind, sql, binds);
    if (kind === 'savepoint') throw new SqliteError('ERROR', 'no transaction is active');
    if (kind !== 'read') await this.#store.gate.acquire(deadline);
    try {
      return await retryWhileBusy(() => this.#open().autocommit(kind, sql, binds), deadline);
    } finally {
      if (kind !== 'read') this.#store.gate.release();
    }
  }

  async #begin(deadline: number): Promise<StatementResult> {
    await this.#store.gate.acquire(deadline);
    try {
      await retryWhileBusy(() => {
        this.#open().transactional().exec('BEGIN IMMEDIATE');
        this.#inTransaction = true;
      }, deadline);
    } catch (error) {
      this.#store.gate.release();
      throw error;
    }
    return { rows: [] };
  }

  #continue(kind: StatementKind, sql: string, binds: SqliteBinds): StatementResult {
    this.#requireTransaction();
    try {
      return this.#store.inTransaction(kind, sql, binds);
    } catch (error) {
      // After some errors SQLite rolls back by itself, and later statements would each be committed on their own.
      this.#isDoomed = !this.#store.transactional().isInTransaction();
      throw error;
    }
  }

  async #commit(deadline: number): Promise<StatementResult> {
    try {
      await retryWhileBusy(() => {
        this.#requireTransaction();
        this.#store.commit();
        this.#leave();
      }, deadline);
    } catch (error) {
      this.#rollback();
      throw error;
    }
    return { rows: [] };
  }

  #rollback(): StatementResult {
    if (this.#inTransaction) {
      this.#store.rollback();
      this.#leave();
    }
    return { rows: [] };
  }

  #leave(): void {
    this.#inTransaction = false;
    this.#isDoomed = false;
    this.#store.gate.release();
  }

  #requireTransaction(): void {
    if (!this.#inTransaction || this.#isDoomed)
      throw new SqliteError('ABORT', 'the transaction is no longer active');
  }

  #open(): SqliteFile {
    if (this.#isClosed) throw new SqliteError('MISUSE', 'the connection is closed');
    return this.#store;
  }
}

/**
 * SQLite for Sequelize's `dialectModule`: the part of the `sqlite3` package that Sequelize uses, on libsql. Writers
 * of one process queue for at most 5 s; reads outside a transaction never wait. A statement outside its caller's open
 * transaction would wait for that transaction's lock, so it fails at once (see scope.ts).
 */
export const sqliteDriver = { Database, OPEN_READONLY: 1, OPEN_READWRITE: 2, OPEN_CREATE: 4 };

export function openSqlite(file: string, readOnly: boolean): Sequelize {
  return new Sequelize({
    ...sharedOptions,
    dialect: 'sqlite',
    dialectModule: sqliteDriver,
    storage: file,
    ...(readOnly && { dialectOptions: { mode: sqliteDriver.OPEN_READONLY } }),
  });
}
