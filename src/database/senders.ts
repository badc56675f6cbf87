import type { Dialect } from './dialects.ts';

/** What can be bound into a statement. */
export type BoundValue = string | number | boolean | Buffer | null;

/** A statement's rows; how many rows it changed; and the number that an INSERT marked with `LAST_INSERT_ID`. */
type StatementResult = { rows: object[]; changed: number; marked: number };

type Send = (connection: unknown, text: string, values: BoundValue[]) => Promise<StatementResult>;

/** How each driver is given a statement. Its values are in the order of their question marks. */
export const senders: Record<Dialect['name'], Send> = { mysql: sendToMysql, sqlite: sendToSqlite };

type MysqlDone = (error: Error | null, result: object[] | { affectedRows: number; insertId: number }) => void;

type MysqlConnection = {
  query(text: string, done: MysqlDone): unknown;
  /** Prepares a text once per connection. */
  execute(text: string, values: BoundValue[], done: MysqlDone): unknown;
};

function sendToMysql(connection: unknown, text: string, values: BoundValue[]): Promise<StatementResult> {
  const mysql = connection as MysqlConnection;
  return new Promise((resolve, reject) => {
    const done: MysqlDone = (error, result) => {
      if (error) reject(error);
      else if (Array.isArray(result)) resolve({ rows: result, changed: 0, marked: 0 });
      else resolve({ rows: [], changed: result.affectedRows, marked: result.insertId });
    };
    if (values.length === 0) mysql.query(text, done);
    else mysql.execute(text, values, done);
  });
}

type SqliteConnection = {
  all(
    text: string,
    values: BoundValue[],
    done: (this: { changes?: number }, error: Error | null, rows: object[]) => void,
  ): void;
};

function sendToSqlite(connection: unknown, text: string, values: BoundValue[]): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    (connection as SqliteConnection).all(text, values, function (error, rows) {
      if (error) reject(error);
      else resolve({ rows, changed: this.changes ?? 0, marked: 0 });
    });
  });
}
