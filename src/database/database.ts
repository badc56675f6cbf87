import { Sequelize } from 'sequelize';
import { type Dialect, dialects } from './dialects.ts';
import { openMysql } from './mysql.ts';
import { sharedOptions } from './options.ts';
import { retryStatements } from './retries.ts';
import { createStatementRunner } from './runner.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { createStatements, inList } from './statements.ts';
import { modelOf, type RowModel, type Table } from './table.ts';
import { traceOnlyFailures } from './traces.ts';
import { createTransactions } from './transactions.ts';

export { statementMsMax } from './dialects.ts';
export type { Statements } from './statements.ts';
export { forEachRow, inList } from './statements.ts';
export type { Tx } from './transactions.ts';

export type Database = ReturnType<typeof connectDatabase>;

const deleteBatch = 500;

type ConnectOptions = { poolSize: number; readOnly?: boolean };

/**
 * A pool of connections to `sqlite:PATH` or `mysql://USER:PASSWORD@HOST:PORT/NAME` (MySQL, MariaDB, Galera).
 * Nothing is opened until the first query, so a database that is away does not stop a process from starting.
 * `readOnly` makes the database refuse every write, and creates no file.
 */
export function connectDatabase(url: string, { poolSize, readOnly = false }: ConnectOptions) {
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  const dialect: Dialect = file === undefined ? dialects.mysql : dialects.sqlite;
  const sequelize = file === undefined ? openMysql(url, { poolSize, readOnly }) : openSqlite(file, readOnly);
  traceOnlyFailures(sequelize);
  retryStatements(sequelize);

  const run = createStatementRunner(sequelize, dialect);
  const { select, execute, insertReturning } = createStatements(run, dialect);
  const transaction = createTransactions({ sequelize, run, dialect }, file);
  let canReturnRows: boolean | undefined;

  /**
   * Deletes the rows whose indexed `column` is below a value, in batches of 500 by `key`, the first column of the
   * primary key. Returns their number.
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
      total += await execute(`DELETE FROM ${table} WHERE ${key} IN (${names}) AND ${isOld}`, binds);
      if (found.length < deleteBatch || isStopping()) return total;
    }
  }

  /** The database's clock, in epoch milliseconds. Refuses with `unavailable` when the database cannot be reached. */
  async function clock(): Promise<number> {
    const [row] = await select<{ now: number }>(`SELECT ${dialect.now} AS now`, {});
    return Number(row?.now);
  }

  /**
   * Empties the write-ahead log of an embedded database, which still holds the bytes of erased rows. Does nothing while
   * another connection reads, and nothing on a server, which purges its own logs.
   */
  async function scrub(): Promise<void> {
    if (dialect.name === 'sqlite') await select('PRAGMA wal_checkpoint(TRUNCATE)', {}).catch(() => {});
  }

  /** Whether the database has a table. */
  const hasTable = (name: string): Promise<boolean> => sequelize.getQueryInterface().tableExists(name);

  /** The name and version of the server, or of the library. */
  async function version(): Promise<string> {
    const sql = dialect.name === 'mysql' ? 'VERSION()' : "'SQLite ' || sqlite_version()";
    const [row] = await select<{ version: string }>(`SELECT ${sql} AS version`, {});
    return String(row?.version);
  }

  /** Whether an INSERT can return its rows: on MySQL, unlike MariaDB, it cannot. */
  async function returnsRows(): Promise<boolean> {
    canReturnRows ??= dialect.name === 'sqlite' || /mariadb/i.test(await version());
    return canReturnRows;
  }

  /** The connections of this process: open ones, idle ones among them, and requests that wait for one. */
  function connections(): { open: number; idle: number; waiting: number } {
    const { pool } = sequelize.connectionManager as unknown as { pool?: Pool };
    return { open: pool?.size ?? 0, idle: pool?.available ?? 0, waiting: pool?.waiting ?? 0 };
  }

  return {
    version,
    returnsRows,
    sequelize,
    model: <Row extends object>(table: Table<Row>): RowModel<Row> => modelOf(sequelize, table),
    dialect,
    select,
    execute,
    insertReturning,
    transaction,
    deleteInBatches,
    clock,
    scrub,
    hasTable,
    connections,
    close: () => sequelize.close(),
  };
}

type Pool = { size: number; available: number; waiting: number };

function openSqlite(file: string, readOnly: boolean): Sequelize {
  return new Sequelize({
    ...sharedOptions,
    dialect: 'sqlite',
    dialectModule: sqliteDialect,
    storage: file,
    ...(readOnly && { dialectOptions: { mode: sqliteDialect.OPEN_READONLY } }),
  });
}
