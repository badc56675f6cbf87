import { assignments, type BoundValue, type Dialect, type DriverResult } from '../dialect.ts';
import { sqliteSchemaQueries } from './schemaQueries.ts';

const excluded = (column: string) => `excluded.${column}`;

/** SQLite has no row locks: a transaction that writes locks the whole database. */
export const sqliteDialect = {
  name: 'sqlite',
  now: "CAST(ROUND(unixepoch('now', 'subsec') * 1000) AS INTEGER)",
  newId: 'randomblob(16)',
  least: 'MIN',
  forUpdate: '',
  forShare: '',
  skipLocked: '',
  insertIgnore: (key, into) => `INSERT ${into} ON CONFLICT (${key}) DO NOTHING`,
  updateIgnore: 'UPDATE OR IGNORE',
  onConflict: (key, columns, changes) =>
    `ON CONFLICT (${key}) DO UPDATE SET ${assignments(columns, excluded, changes)}`,
  excluded,
  parallelBatches: 1,
  returning: (expression) => expression,
  remembersMarked: false,
  tableOptions: undefined,
  version: "'SQLite ' || sqlite_version()",
  packetBytes: undefined,
  scrub: 'PRAGMA wal_checkpoint(TRUNCATE)',
  schemaQueries: sqliteSchemaQueries,
  send,
} satisfies Dialect;

type SqliteConnection = {
  all(
    text: string,
    values: BoundValue[],
    done: (this: { changes?: number }, error: Error | null, rows: object[]) => void,
  ): void;
};

function send(connection: unknown, text: string, values: BoundValue[]): Promise<DriverResult> {
  return new Promise((resolve, reject) => {
    (connection as SqliteConnection).all(text, values, function (error, rows) {
      if (error) reject(error);
      else resolve({ rows, changed: this.changes ?? 0, marked: 0 });
    });
  });
}
