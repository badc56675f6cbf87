import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unavailable } from '../errors.ts';
import { secondMs } from '../time.ts';
import { type Dialect, serverProblem } from './dialect.ts';
import { isFull } from './errors.ts';
import { mysqlDialect } from './mysql/dialect.ts';
import { openMysql } from './mysql/open.ts';
import { createStatementRunner } from './runner.ts';
import { connectionCounts, retryStatements } from './sequelizeInternals.ts';
import { sqliteDialect } from './sqlite/dialect.ts';
import { openSqlite } from './sqlite/driver.ts';
import { createStatements, inList } from './statements.ts';
import { modelOf, type RowModel, type Table } from './table.ts';
import { createTransactions } from './transactions.ts';

export { statementMsMax } from './dialect.ts';
export type { Statements } from './statements.ts';
export { forEachRow, inList, inPortions, insertOf, padded } from './statements.ts';
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
  const dialect: Dialect = file === undefined ? mysqlDialect : sqliteDialect;
  const sequelize = file === undefined ? openMysql(url, { poolSize, readOnly }) : openSqlite(file, readOnly);
  retryStatements(sequelize);
  const space = watchSpace(file);

  const run = createStatementRunner(sequelize, dialect, space.failed);
  const { select, execute, insertReturning } = createStatements(run, dialect);
  const transaction = createTransactions({ sequelize, run, dialect }, file);
  let isMysqlItselfKnown: boolean | undefined;

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
    if (dialect.scrub !== undefined) await select(dialect.scrub, {}).catch(() => {});
  }

  /** Whether the database has a table. */
  const hasTable = (name: string): Promise<boolean> => sequelize.getQueryInterface().tableExists(name);

  /** The name and version of the server, or of the library. */
  async function version(): Promise<string> {
    const [row] = await select<{ version: string }>(`SELECT ${dialect.version} AS version`, {});
    return String(row?.version);
  }

  /** Why this version of the server cannot be used; undefined if it can. */
  const versionProblem = async (): Promise<string | undefined> => serverProblem(await version());

  /** The longest statement that the server takes, which is its `max_allowed_packet`. Infinite for an embedded database. */
  async function packetBytes(): Promise<number> {
    if (dialect.packetBytes === undefined) return Number.POSITIVE_INFINITY;
    const [row] = await select<{ bytes: number }>(`SELECT ${dialect.packetBytes} AS bytes`, {});
    return Number(row?.bytes);
  }

  /** Whether the server is MySQL itself. MariaDB and Galera clusters speak its language, and differ in what they can do. */
  async function isMysqlItself(): Promise<boolean> {
    isMysqlItselfKnown ??= dialect.name === 'mysql' && !/mariadb/i.test(await version());
    return isMysqlItselfKnown;
  }

  /** Whether an INSERT can return its rows. */
  const returnsRows = async (): Promise<boolean> => !(await isMysqlItself());

  return {
    version,
    versionProblem,
    packetBytes,
    isMysqlItself,
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
    connections: () => connectionCounts(sequelize),
    space,
    close: () => sequelize.close(),
  };
}

/** Longer than a process waits that tries to write again after a failure. */
const rememberedMs = 10 * secondMs;
/** The disk of an embedded database has room for the largest push at least. */
const freeBytesMin = 1024 ** 2;

/**
 * Knows whether the database has room to write, without writing: by the errors of the last ten seconds, and by the disk of
 * an embedded one. `file` is its path.
 */
function watchSpace(file?: string) {
  let found: { error: unknown; at: number } | undefined;
  const wasFull = () => found !== undefined && performance.now() < found.at + rememberedMs;

  return {
    /** To be called with each error of a statement. */
    failed(error: unknown): void {
      if (isFull(error)) found = { error, at: performance.now() };
    },
    /** Whether a write found no room a moment ago. */
    wasFull,
    /** Refuses with `unavailable` while nothing can be written. */
    async requireSpace(): Promise<void> {
      if (wasFull()) throw unavailable('databaseFull', found?.error);
      if (file === undefined) return;
      const { blocks, bavail, bsize } = await statfs(dirname(file));
      if (blocks > 0 && bavail * bsize < freeBytesMin) throw unavailable('databaseFull');
    },
  };
}
