import type { Sequelize, Transaction } from 'sequelize';
import type { BoundValue, Dialect, DriverResult } from './dialect.ts';
import { withRetries } from './retries.ts';
import { connectionOf, internalsOf } from './sequelizeInternals.ts';

/** Values bound into a statement by name (`$name`); never interpolated. */
export type StatementBinds = Record<string, BoundValue>;

export type RunStatement = ReturnType<typeof createStatementRunner>;

/** How many texts are known at most. A batch has one for each of its sizes. */
const textsMax = 2_000;

/**
 * Runs SQL text on the connections of Sequelize's pool, but past its query layer, which costs more than the driver does
 * (decision 0033). Its errors are those of Sequelize.
 */
export function createStatementRunner(
  sequelize: Sequelize,
  { send }: Dialect,
  onError: (error: unknown) => void = () => {},
) {
  const { getConnection, releaseConnection, log, formatError } = internalsOf(sequelize);
  const texts = new Map<string, { text: string; names: string[] }>();

  /** Runs a statement in a transaction, or else by itself: again, while the database refuses it for contention. */
  function run(sql: string, binds: StatementBinds, transaction?: Transaction): Promise<DriverResult> {
    const { text, names } = positional(sql);
    const values = names.map((name) => boundValue(name, binds));
    if (transaction === undefined) return withRetries(() => runAlone(text, values));
    return runOn(connectionOf(transaction), text, values);
  }

  async function runAlone(text: string, values: BoundValue[]) {
    const connection = await getConnection();
    try {
      return await runOn(connection, text, values);
    } finally {
      releaseConnection(connection);
    }
  }

  function runOn(connection: unknown, text: string, values: BoundValue[]): Promise<DriverResult> {
    log(text);
    return send(connection, text, values).catch((error: unknown) => {
      onError(error);
      throw formatError(error, connection);
    });
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
