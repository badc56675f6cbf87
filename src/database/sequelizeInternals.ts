import type { Sequelize, Transaction } from 'sequelize';
import { withRetries } from './retries.ts';

/*
 * Everything of Sequelize that we use although it is neither documented nor typed. `sequelizeInternals.test.ts` pins the
 * version that this was read in. What SQLite needs to look like the `sqlite3` package is in `sqlite/driver.ts`.
 */

type Internals = {
  connectionManager: {
    getConnection(options: object): Promise<unknown>;
    releaseConnection(connection: unknown): void;
    pool?: { size: number; available: number; waiting: number };
  };
  dialect: { Query: new (...about: [unknown, Sequelize, object]) => { formatError(error: unknown): Error } };
  options: { logging?: false | ((sql: string) => void) };
};

type TransactionInternals = { connection: unknown; finished?: string };

/** Texts by transaction. */
type TransactionTexts = Record<
  'startTransactionQuery' | 'commitTransactionQuery' | 'rollbackTransactionQuery',
  (transaction: Transaction) => string
>;

type Query = (sql: unknown, options?: { transaction?: unknown }) => Promise<unknown>;

/** The pool's connections, the log, and the errors, for statements that go past the query layer (decision 0033). */
export function internalsOf(sequelize: Sequelize) {
  const { connectionManager, dialect, options } = sequelize as unknown as Internals;

  return {
    getConnection: () => connectionManager.getConnection({}),
    releaseConnection: (connection: unknown) => connectionManager.releaseConnection(connection),
    log: (sql: string) => {
      if (options.logging) options.logging(sql);
    },
    /** The error that Sequelize would have thrown for one of the driver. */
    formatError: (error: unknown, connection: unknown) =>
      new dialect.Query(connection, sequelize, {}).formatError(error),
  };
}

/** The connection of an open transaction. */
export function connectionOf(transaction: Transaction): unknown {
  const { connection, finished } = transaction as unknown as TransactionInternals;
  if (finished !== undefined) throw new Error('a statement ran in a transaction that has ended');
  return connection;
}

/** The connections of this process: open ones, idle ones among them, and requests that wait for one. */
export function connectionCounts(sequelize: Sequelize): { open: number; idle: number; waiting: number } {
  const { pool } = (sequelize as unknown as Internals).connectionManager;
  return { open: pool?.size ?? 0, idle: pool?.available ?? 0, waiting: pool?.waiting ?? 0 };
}

/**
 * Repeats every statement outside of transactions, those of models included: it is a transaction by itself. The nodes of
 * a Galera cluster refuse any write that met another.
 */
export function retryStatements(sequelize: Sequelize): void {
  const query = sequelize.query.bind(sequelize) as Query;
  const retried: Query = (sql, options) =>
    options?.transaction ? query(sql, options) : withRetries(() => query(sql, options));
  sequelize.query = retried as typeof sequelize.query;
}

/**
 * Has the statements that begin and end a transaction sent like all others. What becomes of its connection stays with
 * Sequelize: it goes back to the pool, or is destroyed if the end failed.
 */
export function sendBeginAndEnd(
  sequelize: Sequelize,
  send: (sql: string, transaction: Transaction) => Promise<unknown>,
): void {
  const queryInterface = sequelize.getQueryInterface();
  const texts = queryInterface.queryGenerator as TransactionTexts;

  async function end(transaction: Transaction, state: 'commit' | 'rollback', text: string): Promise<void> {
    const ended = send(text, transaction);
    (transaction as unknown as TransactionInternals).finished = state; // takes no further statement
    await ended;
  }

  queryInterface.startTransaction = async (transaction) => {
    await send(texts.startTransactionQuery(transaction), transaction);
  };
  queryInterface.commitTransaction = (transaction) =>
    end(transaction, 'commit', texts.commitTransactionQuery(transaction));
  queryInterface.rollbackTransaction = (transaction) =>
    end(transaction, 'rollback', texts.rollbackTransactionQuery(transaction));
}
