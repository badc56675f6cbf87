import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';
import type { Dialect } from '../../database/dialect.ts';
import { mysqlDialect } from '../../database/mysql/dialect.ts';
import { galeraProbe } from '../../database/mysql/open.ts';
import { withRetries } from '../../database/retries.ts';
import type { StatementBinds } from '../../database/runner.ts';
import { sqliteDialect } from '../../database/sqlite/dialect.ts';

type Value = string | number | boolean;

export type JobStore = ReturnType<typeof createJobStore>;

/** The database functions that the backend needs, and what differs between the two families of databases. */
export function createJobStore(sequelize: Sequelize) {
  const isSqlite = sequelize.getDialect() === 'sqlite';
  const { now, onConflict }: Dialect = isSqlite ? sqliteDialect : mysqlDialect;
  let canSkipLocked = false;

  function select<Row extends object>(
    sql: string,
    bind: StatementBinds,
    transaction?: Transaction,
  ): Promise<Row[]> {
    return sequelize.query<Row>(sql, {
      bind,
      transaction: transaction ?? null,
      raw: true,
      type: QueryTypes.SELECT,
    });
  }

  /** Runs one writing statement and returns the number of rows that its WHERE matched. */
  async function execute(sql: string, bind: StatementBinds, transaction?: Transaction): Promise<number> {
    const options = { bind, transaction: transaction ?? null, type: QueryTypes.UPDATE } as const;
    return (await sequelize.query(sql, options))[1];
  }

  /**
   * Runs work that acquires rows: in a transaction that locks them, if others can skip locked rows. Otherwise without
   * one, and the statement that acquires a row must itself verify that nobody was faster.
   */
  async function withRowLocks<T>(work: (transaction?: Transaction) => Promise<T>): Promise<T> {
    return canSkipLocked ? withRetries(() => sequelize.transaction(work)) : work();
  }

  /** Fails unless the table can be read. On Galera a row lock is known to one node only. */
  async function probe(table: string): Promise<void> {
    await select(`SELECT 1 FROM ${table} LIMIT 1`, {});
    canSkipLocked = !isSqlite && (await select(galeraProbe, {})).length === 0;
  }

  return { now, onConflict, select, execute, withRowLocks, probe };
}

/** Collects the conditions of a WHERE, and binds their values. */
export function createConditions() {
  const binds: StatementBinds = {};
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
