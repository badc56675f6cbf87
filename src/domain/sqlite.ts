import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What `node:sqlite` and libsql have in common. Their `run` is not used: libsql's leaves RETURNING unfinished. */
type Native = { exec(sql: string): void; prepare(sql: string): NativeStatement; close(): void };
type NativeStatement = { all(binds: Row): Row[] };
type NativeClass = new (path: string) => Native;

type Row = Record<string, unknown>;
type Outcome = { rows: Row[]; tally?: Row | undefined };
type Done = (this: Statement, error: Error | null, rows?: Row[]) => void;
type Kind = 'begin' | 'commit' | 'rollback' | 'savepoint' | 'schema' | 'write' | 'setting' | 'read';

const memory = ':memory:';
const patienceMs = 5_000;
const retryMs = 10;
const statementsMax = 100;
const settings = `PRAGMA busy_timeout = 0; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY`;

/** SQLite's result codes, each at the position of its number. */
const codes =
  `OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN
  PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB`.split(/\s+/);

class SqliteError extends Error {
  readonly code: string;
  readonly errno: number;

  constructor(name: string, message: string) {
    super(`SQLITE_${name}: ${message}`);
    this.code = `SQLITE_${name}`;
    this.errno = codes.indexOf(name);
  }
}

const isBusy = (error: unknown) => error instanceof SqliteError && error.code === 'SQLITE_BUSY';
const busy = () => new SqliteError('BUSY', `other writers held the database for ${patienceMs / 1000} s`);

/** Runs a call of the engine. Its error loses its words where they could quote a bound value, as for a bad JSON path. */
function attempt<T>(call: () => T, { bound = false } = {}): T {
  try {
    return call();
  } catch (error) {
    const { errcode, rawCode = errcode, code, message } = error as Row;
    if (typeof rawCode !== 'number') throw new SqliteError('MISUSE', String(code ?? 'refused by the engine'));
    const name = codes[rawCode & 0xff] ?? 'ERROR';
    throw new SqliteError(name, bound && name === 'ERROR' ? 'failed on a bound value' : String(message));
  }
}

/** libsql aborts the process when it is given a boolean, so nothing passes that is not known. */
function toSql(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  // Both engines bind every number as REAL, and a TEXT column would make 1 into '1.0'.
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  if (typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value)) return value;
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value;
  // Both engines read a text up to its first NUL only.
  if (typeof value === 'string' && !value.includes('\0')) return value;
  if (value instanceof Uint8Array) return value;
  // As Sequelize writes and parses it.
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', ' +00:00');
  throw new SqliteError('MISMATCH', `a bound ${typeof value} cannot be stored unchanged`);
}

function fromSql(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  throw new SqliteError('MISMATCH', 'a stored number is beyond 2^53');
}

const require = createRequire(import.meta.url);
const nodeSqlite = process.getBuiltinModule('node:sqlite') as { DatabaseSync: NativeClass } | undefined;

function openNative(path: string): Native {
  const Engine = nodeSqlite?.DatabaseSync ?? (require('libsql') as NativeClass);
  try {
    // Creates or fails: opening and closing a file that SQLite has open would drop this process's locks on it.
    if (path !== memory) closeSync(openSync(path, 'wx', 0o600));
  } catch {}
  try {
    return new Engine(path);
  } catch {
    throw new SqliteError('CANTOPEN', 'unable to open the database file');
  }
}

type Handle = ReturnType<typeof openHandle>;

function openHandle(path: string) {
  const native = openNative(path);
  const exec = (sql: string) => attempt(() => native.exec(sql));
  try {
    exec(settings);
  } catch (error) {
    native.close();
    throw error;
  }
  const prepare = (sql: string) => attempt(() => native.prepare(sql));
  const counts = prepare('SELECT last_insert_rowid() AS lastID, changes() AS changes');
  const statements = new Map<string, { statement: NativeStatement; names: string[] }>();

  /** Keeps the statements used last, those with bound values only: the text of others seldom comes again. */
  function prepareBound(sql: string) {
    const prepared = statements.get(sql) ?? { statement: prepare(sql), names: sql.match(/\$\w+/g) ?? [] };
    statements.delete(sql);
    statements.set(sql, prepared);
    const [oldest = sql] = statements.keys();
    if (statements.size > statementsMax) statements.delete(oldest);
    return prepared;
  }

  function all(sql: string, binds: Row): Row[] {
    const bound = Object.keys(binds).length > 0;
    const { statement, names } = bound ? prepareBound(sql) : { statement: prepare(sql), names: [] };
    const values: Row = {};
    for (const name of names) if (name in binds) values[name.slice(1)] = toSql(binds[name]);
    const rows = attempt(() => statement.all(values), { bound });
    return rows.map((row) => {
      const copy = { ...row };
      for (const name of Object.keys(copy)) copy[name] = fromSql(copy[name]);
      return copy;
    });
  }

  /** Asks by trying, because not every engine can tell. */
  function isInTransaction(): boolean {
    try {
      native.exec('BEGIN');
    } catch {
      return true;
    }
    native.exec('ROLLBACK');
    return false;
  }

  const tally = () => counts.all({})[0];
  return { exec, all, tally, isInTransaction, clear: () => statements.clear(), close: () => native.close() };
}

const kinds: Record<string, Kind> = {
  ...{ BEGIN: 'begin', COMMIT: 'commit', END: 'commit', SAVEPOINT: 'savepoint', RELEASE: 'savepoint' },
  ...{ CREATE: 'schema', ALTER: 'schema', DROP: 'schema', SELECT: 'read', VALUES: 'read', EXPLAIN: 'read' },
  ...{ VACUUM: 'setting', ATTACH: 'setting', DETACH: 'setting' },
};
const readingPragma =
  /^PRAGMA\s+(?:(?:(?:table|index|foreign_key)_x?(?:info|list|check)|(?:integrity|quick)_check)\b|(?!wal_checkpoint|optimize|incremental_vacuum)\w+\s*;?\s*$)/i;

/** By the statement's own first word: for Sequelize an INSERT … RETURNING is a SELECT. What is unknown writes. */
function kindOf(sql: string): Kind {
  const text = sql.replace(/^(?:\s|--.*|\/\*[\s\S]*?\*\/)+/, '');
  const verb = /^\w*/.exec(text)?.[0].toUpperCase() ?? '';
  if (verb === 'ROLLBACK') return /\bTO\b/i.test(text) ? 'savepoint' : 'rollback';
  if (verb === 'WITH') return /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i.test(text) ? 'write' : 'read';
  if (verb === 'PRAGMA') return readingPragma.test(text) ? 'read' : 'setting';
  return kinds[verb] ?? 'write';
}

/** Repeats, without blocking the process, what another process's lock refused: a refused statement has done nothing. */
async function persist<T>(work: () => T, deadline: number): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) throw busy();
    }
    await sleep(1 + Math.random() * retryMs);
  }
}

/** Lets one writer in at a time, first come first served. Who has entered must leave, exactly once. */
function createGate() {
  const queue: (() => void)[] = [];
  let isTaken = false;

  async function enter(deadline: number): Promise<void> {
    if (isTaken) {
      await new Promise<void>((admitted, refused) => {
        const admit = () => {
          clearTimeout(timer);
          // A turn of the event loop between two writers, or a queue of them would starve everything else.
          setImmediate(admitted);
        };
        const giveUp = () => {
          queue.splice(queue.indexOf(admit), 1);
          refused(busy());
        };
        const timer = setTimeout(giveUp, deadline - performance.now());
        queue.push(admit);
      });
    }
    isTaken = true;
  }

  function leave(): void {
    const admit = queue.shift();
    if (admit) admit();
    else isTaken = false;
  }

  return { enter, leave };
}

type Store = ReturnType<typeof createStore>;
const stores = new Map<string, Store>();

function storeOf(filename: string): Store {
  if (filename === memory) return createStore(memory);
  const path = resolve(filename);
  const store = stores.get(path) ?? createStore(path);
  stores.set(path, store);
  return store;
}

/** What the connections to one file share: the gate, a handle for autocommit, a handle for the transaction in the gate. */
function createStore(path: string) {
  const users = new Set<Database>();
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
  function release(user: Database): void {
    users.delete(user);
    if (users.size > 0) return;
    stores.delete(path);
    for (const handle of new Set(Object.values(handles))) retire(handle);
    if (!nodeSqlite) setImmediate(collectGarbage);
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

/** libsql holds a closed file open until its statements are collected (tursodatabase/libsql-js#228). */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** Sequelize believes `lastID` and `changes` of a class with this name only. */
class Statement {}

/** A connection as Sequelize sees it: one for everything outside transactions, and a new one for each transaction. */
class Database {
  readonly filename: string;
  uuid: string | undefined;
  readonly #store: Store;
  #isClosed = false;
  #inTransaction = false;
  #isDoomed = false;

  constructor(filename: string, _mode: number, opened: (error: Error | null) => void) {
    this.filename = filename;
    this.#store = storeOf(filename);
    this.#store.users.add(this);
    persist(() => this.#open().plain(), performance.now() + patienceMs).then(
      () => setImmediate(opened, null),
      (error) => setImmediate(opened, error),
    );
  }

  serialize(work: () => unknown): void {
    work();
  }

  run(sql: string, binds: Row = {}, done?: Done): void {
    // Every handle has it on, and for that of plain statements Sequelize may just have turned it off.
    if (sql !== 'PRAGMA FOREIGN_KEYS=ON') this.all(sql, binds, done);
  }

  all(sql: string, binds: Row | Done, done?: Done): void {
    if (typeof binds === 'function') this.#answer(sql, {}, binds as Done);
    else this.#answer(sql, binds, done);
  }

  close(done?: (error: null) => void): void {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#rollback();
      this.#store.release(this);
    }
    // Garbage is collected in the next turn and its finalizers run after that.
    setImmediate(() => setImmediate(() => done?.(null)));
  }

  /** Answers in a later turn of the event loop, or a chain of statements would starve everything else. */
  async #answer(sql: string, binds: Row, done?: Done): Promise<void> {
    const statement = new Statement();
    try {
      const { rows, tally } = await this.#perform(sql, binds);
      Object.assign(statement, tally);
      setImmediate(() => done?.call(statement, null, rows));
    } catch (error) {
      setImmediate(() => done?.call(statement, error as Error));
    }
  }

  async #perform(sql: string, binds: Row): Promise<Outcome> {
    const deadline = performance.now() + patienceMs;
    const kind = kindOf(sql);
    if (kind === 'begin') return this.#begin(deadline);
    if (kind === 'commit') return this.#commit(deadline);
    if (kind === 'rollback') return this.#rollback();
    if (this.#inTransaction) return this.#continue(kind, sql, binds);
    if (kind === 'savepoint') throw new SqliteError('ERROR', 'no transaction is active');
    if (kind !== 'read') await this.#store.gate.enter(deadline);
    try {
      return await persist(() => this.#open().autocommit(kind, sql, binds), deadline);
    } finally {
      if (kind !== 'read') this.#store.gate.leave();
    }
  }

  async #begin(deadline: number): Promise<Outcome> {
    await this.#store.gate.enter(deadline);
    try {
      await persist(() => {
        this.#open().transactional().exec('BEGIN IMMEDIATE');
        this.#inTransaction = true;
      }, deadline);
    } catch (error) {
      this.#store.gate.leave();
      throw error;
    }
    return { rows: [] };
  }

  #continue(kind: Kind, sql: string, binds: Row): Outcome {
    this.#requireTransaction();
    try {
      return this.#store.inTransaction(kind, sql, binds);
    } catch (error) {
      // On some errors SQLite rolls back by itself, and what followed would be committed statement by statement.
      this.#isDoomed = !this.#store.transactional().isInTransaction();
      throw error;
    }
  }

  async #commit(deadline: number): Promise<Outcome> {
    try {
      await persist(() => {
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

  #rollback(): Outcome {
    if (this.#inTransaction) {
      this.#store.rollback();
      this.#leave();
    }
    return { rows: [] };
  }

  #leave(): void {
    this.#inTransaction = false;
    this.#isDoomed = false;
    this.#store.gate.leave();
  }

  #requireTransaction(): void {
    if (!this.#inTransaction || this.#isDoomed)
      throw new SqliteError('ABORT', 'the transaction is no longer active');
  }

  #open(): Store {
    if (this.#isClosed) throw new SqliteError('MISUSE', 'the connection is closed');
    return this.#store;
  }
}

/**
 * SQLite for Sequelize's `dialectModule`: the part of the `sqlite3` package that Sequelize uses, on `node:sqlite` or libsql.
 * Writers of one process queue for at most 5 s, so inside a transaction every statement must carry it: one that does not
 * waits for its own transaction and fails with SQLITE_BUSY. Reads outside a transaction never wait.
 */
export const sqliteDialect = { Database, OPEN_READWRITE: 2, OPEN_CREATE: 4 };
