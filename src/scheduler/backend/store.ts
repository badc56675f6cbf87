import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';
import { randomDelay, retry } from '../../retry.ts';

type Value = string | number | boolean;

/** Values bound into a statement by name (`$name`); never interpolated. */
export type Binds = Record<string, Value | Buffer | null>;

export type JobStore = ReturnType<typeof createJobStore>;

const attempts = 4;

/** Errors after which the work may be tried again: deadlock (on Galera a lost certification), lock wait, changed since read. */
const contention = new Set<unknown>([1213, 1205, 1020, 'SQLITE_BUSY']);

/** The database functions that the backend needs, and what differs between the two families of databases. */
export function createJobStore(sequelize: Sequelize) {
  const isSqlite = sequelize.getDialect() === 'sqlite';
  let canSkipLocked = false;

  /** The database's clock in SQL, epoch milliseconds. */
  const now = isSqlite
    ? "CAST(ROUND(unixepoch('now', 'subsec') * 1000) AS INTEGER)"
    : 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

  /**
   * Follows the values of an INSERT, and precedes the assignments to a row that already has the unique value of a
   * column.
   */
  const onDuplicate = (column: string) =>
    isSqlite ? `ON CONFLICT (${column}) DO UPDATE SET` : 'ON DUPLICATE KEY UPDATE';

  function select<Row extends object>(sql: string, bind: Binds, transaction?: Transaction): Promise<Row[]> {
    return sequelize.query<Row>(sql, {
      bind,
      transaction: transaction ?? null,
      raw: true,
      type: QueryTypes.SELECT,
    });
  }

  /** Runs one writing statement and returns the number of rows that its WHERE matched. */
  async function execute(sql: string, bind: Binds, transaction?: Transaction): Promise<number> {
    const options = { bind, transaction: transaction ?? null, type: QueryTypes.UPDATE } as const;
    const run = async () => (await sequelize.query(sql, options))[1];
    return transaction ? run() : withRetries(run);
  }

  /**
   * Runs work that acquires rows: in a transaction that locks them, if others can skip locked rows. Otherwise without
   * one, and the statement that acquires a row must itself verify that nobody was faster.
   */
  async function claiming<T>(work: (transaction?: Transaction) => Promise<T>): Promise<T> {
    return canSkipLocked ? withRetries(() => sequelize.transaction(work)) : work();
  }

  /** Fails unless the table can be read. On Galera a row lock is known to one node only. */
  async function probe(table: string): Promise<void> {
    await select(`SELECT 1 FROM ${table} LIMIT 1`, {});
    const galera = "SHOW VARIABLES WHERE Variable_name = 'wsrep_on' AND Value = 'ON'";
    canSkipLocked = !isSqlite && (await select(galera, {})).length === 0;
  }

  return { now, onDuplicate, select, execute, claiming, probe };
}

/** Collects the conditions of a WHERE, and binds their values. */
export function createConditions() {
  const binds: Binds = {};
  const conditions: string[] = [];

  /** Adds the condition that `build` returns for a list of the bound values. No values add no condition. */
  function add(values: Value | readonly Value[] | undefined, build: (list: string) => string): void {
    const names = (values === undefined ? [] : [values].flat()).map((value) => {
      const name = `value${Object.keys(binds).length}`;
      binds[name] = value;
      return `$${name}`;
    });
    if (names.length > 0) conditions.push(build(names.join(', ')));
  }

  const where = () => (conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '');

  return { add, where, binds };
}

const withRetries = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, { attempts, delayMs: randomDelay(10, 200), isRetryable: isContention });

function isContention(error: unknown): boolean {
  const { parent } = error as { parent?: { errno?: unknown; code?: unknown } };
  return contention.has(parent?.errno) || contention.has(parent?.code);
}
