import type { Socket } from 'node:net';
import {
  ConnectionError,
  DatabaseError,
  QueryTypes,
  Sequelize,
  TimeoutError,
  type Transaction,
} from 'sequelize';
import { DomainError, unavailable } from '../errors.ts';
import { randomDelay, retry } from '../retry.ts';
import { minuteMs } from '../time.ts';
import { sqliteDialect } from './sqlite/dialect.ts';

/** Values bound into a statement by name (`$name`); never interpolated. */
type Binds = Record<string, string | number | boolean | Buffer | null>;

/** Statements with values bound by name. Each runs once, or fails. */
export type Statements = {
  /** Runs a SELECT, or a statement with RETURNING, and gives its rows. */
  select<Row extends object>(sql: string, binds: Binds): Promise<Row[]>;
  /** Runs an INSERT, UPDATE or DELETE and gives the number of rows that it changed. */
  execute(sql: string, binds: Binds): Promise<number>;
  /** Runs an INSERT and gives the value of its one expression `returning(SQL)`, in a single round trip. */
  insertReturning(
    build: (returning: (expression: string) => string) => string,
    column: string,
    binds: Binds,
  ): Promise<number>;
};

/** An open transaction with the statements that belong to it. */
export type Tx = Statements & {
  /** Runs a listener after the commit, once however often it is registered; never when the transaction fails. It must not throw. */
  afterCommit(listener: () => void): void;
  /** For Sequelize models, as their `transaction` option. */
  handle: Transaction;
};

export type Database = ReturnType<typeof connectDatabase>;

const attempts = 4;
const lockWaitSeconds = 3;
const silenceTimeoutMs = 10_000;
const connectTimeoutMs = 4_000;
const acquireTimeoutMs = 5_000;
const deleteBatch = 500;

/** Errors after which the server has rolled the whole unit of work back, or can be asked to: deadlock, lock wait, changed since read. */
const retryableErrnos = new Set([1213, 1205, 1020]);
/** Errors of a server that is going away, read-only, full, or not (yet) part of its Galera cluster. */
const unavailableErrnos = new Set([
  1021, 1040, 1041, 1047, 1053, 1114, 1180, 1203, 1290, 1792, 1836, 1927, 3100, 4031,
]);
const unavailableCodes = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'SQLITE_BUSY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]);

/**
 * What differs between the two families of database, as SQL. Times are epoch milliseconds by the database's own clock.
 * SQLite has no locks on rows: a transaction that writes has the whole database.
 */
const dialects = {
  mysql: {
    name: 'mysql',
    now: 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)',
    newId: "UNHEX(REPLACE(UUID(), '-', ''))",
    least: 'LEAST',
    forUpdate: 'FOR UPDATE',
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    onConflict: (_columns: string) => 'ON DUPLICATE KEY UPDATE',
    excluded: (column: string) => `VALUES(${column})`,
  },
  sqlite: {
    name: 'sqlite',
    now: "CAST(ROUND(unixepoch('now', 'subsec') * 1000) AS INTEGER)",
    newId: 'randomblob(16)',
    least: 'MIN',
    forUpdate: '',
    skipLocked: '',
    onConflict: (columns: string) => `ON CONFLICT (${columns}) DO UPDATE SET`,
    excluded: (column: string) => `excluded.${column}`,
  },
} as const;

/**
 * A pool of connections to `sqlite:PATH` or `mysql://USER:PASSWORD@HOST:PORT/NAME` (MySQL, MariaDB, Galera).
 * Nothing is opened until the first query, so a database that is away does not stop a process from starting.
 */
export function connectDatabase(url: string, { poolSize }: { poolSize: number }) {
  const dialect = url.startsWith('sqlite:') ? dialects.sqlite : dialects.mysql;
  const sequelize = dialect.name === 'sqlite' ? openSqlite(url) : openMysql(url, poolSize);
  traceOnlyFailures(sequelize);

  /** The statements, each in a transaction of its own or in the open one. */
  function bind(options: { transaction?: Transaction }): Statements {
    const select: Statements['select'] = (sql, binds) =>
      sequelize.query(sql, { bind: binds, type: QueryTypes.SELECT, raw: true, ...options });

    const execute: Statements['execute'] = async (sql, binds) => {
      const [, changed] = await sequelize.query(sql, { bind: binds, type: QueryTypes.UPDATE, ...options });
      return changed;
    };

    const insertReturning: Statements['insertReturning'] = async (build, column, binds) => {
      if (dialect.name === 'sqlite') {
        const sql = `${build((expression) => expression)} RETURNING ${column} AS returned`;
        const [row] = await select<{ returned: number }>(sql, binds);
        return Number(row?.returned);
      }
      // MySQL has no RETURNING, but remembers an expression.
      const sql = build((expression) => `LAST_INSERT_ID(${expression})`);
      const [returned] = await sequelize.query(sql, { bind: binds, type: QueryTypes.INSERT, ...options });
      return returned;
    };

    return { select, execute, insertReturning };
  }

  const { select, execute, insertReturning } = bind({});

  /** Repeats work that the database refused for contention, at most three times, after 10–200 ms at random. */
  async function withRetries<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await retry(work, { attempts, delayMs: randomDelay(10, 200), isRetryable: isContention });
    } catch (error) {
      throw isContention(error)
        ? unavailable('The database is too busy. Try again shortly.', error, 1)
        : error;
    }
  }

  /**
   * Runs work in one transaction, and the whole of it again when the database refused it for contention. What `work`
   * registers with `tx.afterCommit` runs once, after the commit. Refuses with `unavailable` when the result of COMMIT
   * stays unknown: nothing that was read may then be given away.
   */
  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { result, committed } = await withRetries(() => attemptTransaction(work));
    for (const listener of committed) listener();
    return result;
  }

  async function attemptTransaction<T>(work: (tx: Tx) => Promise<T>) {
    const opened = await sequelize.transaction();
    const committed = new Set<() => void>();
    const tx: Tx = {
      ...bind({ transaction: opened }),
      afterCommit: (listener) => void committed.add(listener),
      handle: opened,
    };
    const result = await work(tx).catch(async (error) => {
      await opened.rollback().catch(() => {});
      throw error;
    });
    await opened.commit().catch((error) => {
      throw isContention(error)
        ? error
        : unavailable('The database did not confirm. Try again shortly.', error);
    });
    return { result, committed };
  }

  /**
   * Deletes the rows of a table whose indexed `column` is below a value, in batches, by the column that its key begins
   * with; gives their number.
   */
  async function deleteInBatches(
    table: string,
    column: string,
    below: string,
    isStopping = () => false,
    key = 'id',
  ): Promise<number> {
    const isOld = `${column} < ${below}`;
    for (let total = 0; ; ) {
      const batch = `SELECT ${key} AS id FROM ${table} WHERE ${isOld} ORDER BY ${column} LIMIT ${deleteBatch}`;
      const found = await select<{ id: Buffer }>(batch, {});
      if (found.length === 0) return total;
      const { names, binds } = inList(found.map(({ id }) => id));
      total += await withRetries(() =>
        execute(`DELETE FROM ${table} WHERE ${key} IN (${names}) AND ${isOld}`, binds),
      );
      if (found.length < deleteBatch || isStopping()) return total;
    }
  }

  /** The database's clock, epoch milliseconds. Refuses with `unavailable` when it is out of reach. */
  async function clock(): Promise<number> {
    const [row] = await select<{ now: number }>(`SELECT ${dialect.now} AS now`, {});
    return Number(row?.now);
  }

  /**
   * Has an embedded database forget what its write-ahead log still holds of erased rows, unless somebody is reading just
   * now; a server sees to that by itself.
   */
  async function scrub(): Promise<void> {
    if (dialect.name === 'sqlite') await select('PRAGMA wal_checkpoint(TRUNCATE)', {}).catch(() => {});
  }

  /** The name and version of the server, or of the library. */
  async function version(): Promise<string> {
    const sql = dialect.name === 'mysql' ? 'VERSION()' : "'SQLite ' || sqlite_version()";
    const [row] = await select<{ version: string }>(`SELECT ${sql} AS version`, {});
    return String(row?.version);
  }

  /** How many connections this process holds, how many of them are idle, and how many more are waited for. */
  function connections(): { open: number; idle: number; waiting: number } {
    const { pool } = sequelize.connectionManager as unknown as { pool?: Pool };
    return { open: pool?.size ?? 0, idle: pool?.available ?? 0, waiting: pool?.waiting ?? 0 };
  }

  return {
    version,
    sequelize,
    dialect,
    select,
    execute,
    insertReturning,
    withRetries,
    transaction,
    deleteInBatches,
    clock,
    scrub,
    connections,
    close: () => sequelize.close(),
  };
}

/** Values for `IN (…)`: the names to put there, and what is bound to them. */
export function inList(values: Buffer[]): { names: string; binds: Binds } {
  const binds = Object.fromEntries(values.map((value, index) => [`in${index}`, value]));
  return {
    names: Object.keys(binds)
      .map((name) => `$${name}`)
      .join(', '),
    binds,
  };
}

/** Thrown inside a unit of work whose guarded write found its row changed since it was read; the whole unit runs again. */
export class StaleReadError extends Error {}

/** The refusal that a caller deserves for an error of the database itself, or undefined for a defect of ours. */
export function toRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  return isOutOfReach(error)
    ? unavailable('The database is out of reach. Try again shortly.', error)
    : undefined;
}

function isContention(error: unknown): boolean {
  if (error instanceof StaleReadError) return true;
  const { errno, code } = driverError(error);
  return retryableErrnos.has(errno) || (error instanceof TimeoutError && code === 'SQLITE_BUSY');
}

function isOutOfReach(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const { errno, code } = driverError(error);
  return unavailableErrnos.has(errno) || unavailableCodes.has(code);
}

function driverError(error: unknown): { errno: number; code: string } {
  const parent: unknown = error instanceof DatabaseError ? error.parent : error;
  const { errno = 0, code = '' } = (parent ?? {}) as { errno?: unknown; code?: unknown };
  return { errno: Number(errno), code: String(code) };
}

const shared = {
  logging: false,
  timezone: '+00:00',
  retry: { max: 1 },
  define: { timestamps: false, underscored: true },
} as const;

function openSqlite(url: string): Sequelize {
  return new Sequelize({
    ...shared,
    dialect: 'sqlite',
    dialectModule: sqliteDialect,
    storage: url.slice('sqlite:'.length),
  });
}

function openMysql(url: string, poolSize: number): Sequelize {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const socketPath = searchParams.get('socket');
  const sequelize = new Sequelize({
    ...shared,
    dialect: 'mysql',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 3306),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    pool: { max: poolSize, min: 0, acquire: acquireTimeoutMs, idle: minuteMs },
    dialectOptions: {
      charset: 'utf8mb4',
      connectTimeout: connectTimeoutMs,
      typeCast: true, // mysql2's own conversions; Sequelize's cost a call for each value and add nothing to our types
      ...(socketPath === null ? {} : { socketPath }),
      ...(searchParams.get('ssl') === 'true' ? { ssl: { minVersion: 'TLSv1.2' } } : {}),
    },
  });
  sequelize.addHook('afterConnect', async (opened: unknown) => {
    const connection = opened as MysqlConnection;
    connection.stream.setTimeout(silenceTimeoutMs, () => connection.stream.destroy(new SilenceError()));
    for (const sql of await sessionSettings(connection)) await run(connection, sql);
  });
  return sequelize;
}

type QueryClass = new (
  ...parameters: never[]
) => { run(sql: string, parameters?: unknown): Promise<unknown> };

/**
 * Sequelize captures a stack trace before each statement, in case it fails: a twelfth of all that a view costs. Here it
 * is captured after a statement has failed.
 */
function traceOnlyFailures(sequelize: Sequelize): void {
  const { dialect } = sequelize as unknown as { dialect: { Query: QueryClass } };
  dialect.Query = class extends dialect.Query {
    override async run(sql: string, parameters?: unknown): Promise<unknown> {
      try {
        return await untraced(() => super.run(sql, parameters));
      } catch (error) {
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      }
    }
  };
}

/** Calls a function; errors that it makes before it returns have no stack trace. */
function untraced<T>(act: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return act();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

type Pool = { size: number; available: number; waiting: number };

type MysqlConnection = {
  query(sql: string, done: (error: Error | null, rows: unknown[]) => void): void;
  stream: Socket;
};

/**
 * What a connection is given up with when nothing has come for so long. A server that is frozen rather than gone never
 * answers, and this fails the statement; an idle connection is merely opened anew for the next one.
 */
class SilenceError extends Error {
  readonly code = 'PROTOCOL_CONNECTION_LOST';
}

function run(connection: MysqlConnection, sql: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    connection.query(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
  });
}

/** READ COMMITTED takes no gap locks, so looking for a push that is not there blocks nobody. On Galera, reads wait for earlier writes. */
async function sessionSettings(connection: MysqlConnection): Promise<string[]> {
  const galera = await run(connection, "SHOW VARIABLES WHERE Variable_name = 'wsrep_on' AND Value = 'ON'");
  return [
    `SET SESSION innodb_lock_wait_timeout = ${lockWaitSeconds}`,
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    ...(galera.length > 0 ? ['SET SESSION wsrep_sync_wait = 3'] : []),
  ];
}
