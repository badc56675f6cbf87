import type { Sequelize, Transaction } from 'sequelize';
import type { Dialect } from './dialects.ts';
import { withRetries } from './retries.ts';
import { type BoundValue, senders } from './senders.ts';

/** Values bound into a statement by name (`$name`); never interpolated. */
export type StatementBinds = Record<string, BoundValue>;

export type RunStatement = ReturnType<typeof createStatementRunner>;

/** How many texts are known at most. A batch has one for each of its sizes. */
const textsMax = 2_000;

/**
 * Runs SQL text on the connections of Sequelize's pool, but past its query layer, which costs more than the driver does
 * (decision 0033). Its errors are those of Sequelize.
 */
export function createStatementRunner(sequelize: Sequelize, { name }: Dialect) {
  const { connectionManager, dialect, options } = sequelize as unknown as SequelizeInternals;
  const send = senders[name];
  const texts = new Map<string, { text: string; names: string[] }>();

  /** Runs a statement in a transaction, or else by itself: again, while the database refuses it for contention. */
  async function run(sql: string, binds: StatementBinds, transaction?: Transaction) {
    const { text, names } = positional(sql);
    const values = names.map((name) => boundValue(name, binds));
    if (transaction === undefined) return withRetries(() => runAlone(text, values));
    const { connection, finished } = transaction as unknown as { connection: unknown; finished?: string };
    if (finished !== undefined) throw new Error('a statement ran in a transaction that has ended');
    return runOn(connection, text, values);
  }

  async function runAlone(text: string, values: BoundValue[]) {
    const connection = await connectionManager.getConnection({});
    try {
      return await runOn(connection, text, values);
    } finally {
      connectionManager.releaseConnection(connection);
    }
  }

  async function runOn(connection: unknown, text: string, values: BoundValue[]) {
    if (options.logging) options.logging(text);
    try {
      return await send(connection, text, values);
    } catch (error) {
      throw new dialect.Query(connection, sequelize, {}).formatError(error);
    }
  }

  /** A text with a question mark in place of each `$name`, and the names in their order. */
  function positional(sql: string) {
    const known = texts.get(sql);
    if (known !== undefined) return known;
    const names: string[] = [];
    const text = sql.replace(/\B\$(\w+)/g, (_match, name: string) => {
      names.push(name);
      return '?';
    });
    if (texts.size === textsMax) texts.clear();
    texts.set(sql, { text, names });
    return { text, names };
  }

  return run;
}

function boundValue(name: string, binds: StatementBinds): BoundValue {
  const value = binds[name];
  if (value === undefined) throw new Error(`a statement has no value for $${name}`);
  return value;
}

/** What Sequelize has, but does not type. */
type SequelizeInternals = {
  connectionManager: {
    getConnection(options: object): Promise<unknown>;
    releaseConnection(connection: unknown): void;
  };
  dialect: { Query: new (...about: [unknown, Sequelize, object]) => { formatError(error: unknown): Error } };
  options: { logging?: false | ((sql: string) => void) };
};
