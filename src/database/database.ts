import { ForeignKeyConstraintError, QueryTypes, Sequelize, type Transaction } from 'sequelize';
import { unavailable } from '../errors.ts';
import { randomDelay, retry } from '../retry.ts';
import { type Dialect, dialects } from './dialects.ts';
import { isContention } from './errors.ts';
import { openMysql } from './mysql.ts';
import { sharedOptions } from './options.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { runInScope } from './sqlite/scope.ts';
import { modelOf, type RowModel, type Table } from './table.ts';
import { traceOnlyFailures } from './traces.ts';

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
const deleteBatch = 500;

/**
 * A pool of connections to `sqlite:PATH` or `mysql://USER:PASSWORD@HOST:PORT/NAME` (MySQL, MariaDB, Galera).
 * Nothing is opened until the first query, so a database that is away does not stop a process from starting.
 */
export function connectDatabase(url: string, { poolSize }: { poolSize: number }) {
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  const dialect: Dialect = file === undefined ? dialects.mysql : dialects.sqlite;
  const sequelize = file === undefined ? openMysql(url, poolSize) : openSqlite(file);
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

  /**
   * Repeats work that the database refused for contention, at most three times, after 10–200 ms at random. Refuses with
   * `unavailable` after that, and when the row that a new one belongs to has been removed meanwhile.
   */
  async function withRetries<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await retry(work, { attempts, delayMs: randomDelay(10, 200), isRetryable: isContention });
    } catch (error) {
      if (isContention(error)) throw unavailable('databaseBusy', error, 1);
      if (error instanceof ForeignKeyConstraintError) throw unavailable('parentRemoved', error);
      throw error;
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
    const working = file === undefined ? work(tx) : runInScope(file, () => work(tx));
    const result = await working.catch(async (error) => {
      await opened.rollback().catch(() => {});
      throw error;
    });
    await opened.commit().catch((error) => {
      throw isContention(error) ? error : unavailable('commitUnconfirmed', error);
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
    model: <Row extends object>(table: Table<Row>): RowModel<Row> => modelOf(sequelize, table),
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

type Pool = { size: number; available: number; waiting: number };

function openSqlite(file: string): Sequelize {
  return new Sequelize({
    ...sharedOptions,
    dialect: 'sqlite',
    dialectModule: sqliteDialect,
    storage: file,
  });
}
