import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';
import type { Dialect } from './dialects.ts';

/** Values bound into a statement by name (`$name`); never interpolated. */
export type StatementBinds = Record<string, string | number | boolean | Buffer | null>;

/** Statements with values bound by name. Each runs once, or fails. */
export type Statements = {
  /** Runs a SELECT, or a statement with RETURNING, and gives its rows. */
  select<Row extends object>(sql: string, binds: StatementBinds): Promise<Row[]>;
  /** Runs an INSERT, UPDATE or DELETE and gives the number of rows that it changed. */
  execute(sql: string, binds: StatementBinds): Promise<number>;
  /**
   * Runs an INSERT and gives the value of a column in one round trip: that of any row. Its expression is marked with
   * `dialect.returning`.
   */
  insertReturning(sql: string, column: string, binds: StatementBinds): Promise<number>;
};

/** The statements, each in a transaction of its own or in the open one. */
export function createStatements(
  sequelize: Sequelize,
  dialect: Dialect,
  options: { transaction?: Transaction } = {},
): Statements {
  const select: Statements['select'] = (sql, binds) =>
    sequelize.query(sql, { bind: binds, type: QueryTypes.SELECT, raw: true, ...options });

  const execute: Statements['execute'] = async (sql, binds) => {
    const [, changed] = await sequelize.query(sql, { bind: binds, type: QueryTypes.UPDATE, ...options });
    return changed;
  };

  const insertReturning: Statements['insertReturning'] = async (sql, column, binds) => {
    if (dialect.name === 'sqlite') {
      const [row] = await select<{ returned: number }>(`${sql} RETURNING ${column} AS returned`, binds);
      return Number(row?.returned);
    }
    const [returned] = await sequelize.query(sql, { bind: binds, type: QueryTypes.INSERT, ...options });
    return returned;
  };

  return { select, execute, insertReturning };
}

/** Values for `IN (…)`: the names to put there, and what is bound to them. */
export function inList(values: Buffer[]): { names: string; binds: StatementBinds } {
  const binds = Object.fromEntries(values.map((value, index) => [`in${index}`, value]));
  return {
    names: Object.keys(binds)
      .map((name) => `$${name}`)
      .join(', '),
    binds,
  };
}

/**
 * SQL that is repeated for each row, such as the values of an INSERT. Values are bound under the names in `each` with
 * the number of the row. There is one text per number of rows, so callers limit that number.
 */
export function forEachRow(each: string, separator = ', ') {
  const names = [...new Set(each.match(/\$\w+/g))].map((name) => name.slice(1));
  const numbered = (name: string, row: number) => `${name}_${row}`;
  const texts = new Map<number, string>();

  function textFor(count: number): string {
    const text =
      texts.get(count) ??
      Array.from({ length: count }, (_, row) =>
        each.replace(/\$(\w+)/g, (_match, name: string) => `$${numbered(name, row)}`),
      ).join(separator);
    texts.set(count, text);
    return text;
  }

  return (rows: StatementBinds[]): { sql: string; binds: StatementBinds } => {
    const binds: StatementBinds = {};
    rows.forEach((row, index) => {
      for (const name of names) binds[numbered(name, index)] = row[name] ?? null;
    });
    return { sql: textFor(rows.length), binds };
  };
}
