/**
 * The longest that a statement takes, locks that it waits for included. Its `now` is when it began, so times that others
 * have written meanwhile are in its future by so much.
 */
export const statementMsMax = 30_000;

export type Dialect = {
  name: 'mysql' | 'sqlite';
  /** The current time in epoch milliseconds. Tests may replace it with a fixed time. */
  now: string;
  newId: string;
  least: string;
  forUpdate: string;
  forShare: string;
  skipLocked: string;
  /** Begins an INSERT that changes nothing if the row exists. */
  insertIgnore: string;
  onConflict(columns: string): string;
  excluded(column: string): string;
  /** How many batches of one kind run at once. A second one gains nothing where there is one writer. */
  parallelBatches: number;
  /** Marks the expression of an INSERT whose value `insertReturning` gives. MySQL has no RETURNING, but remembers one. */
  returning(expression: string): string;
};

/**
 * What differs between the two families of databases, as SQL. Times are epoch milliseconds by the database's clock.
 * SQLite has no row locks: a transaction that writes locks the whole database.
 */
export const dialects = {
  mysql: {
    name: 'mysql',
    now: 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)',
    newId: "UNHEX(REPLACE(UUID(), '-', ''))",
    least: 'LEAST',
    forUpdate: 'FOR UPDATE',
    forShare: 'LOCK IN SHARE MODE',
    skipLocked: 'FOR UPDATE SKIP LOCKED',
    insertIgnore: 'INSERT IGNORE',
    parallelBatches: 2,
    onConflict: (_columns: string) => 'ON DUPLICATE KEY UPDATE',
    excluded: (column: string) => `VALUES(${column})`,
    returning: (expression: string) => `LAST_INSERT_ID(${expression})`,
  },
  sqlite: {
    name: 'sqlite',
    now: "CAST(ROUND(unixepoch('now', 'subsec') * 1000) AS INTEGER)",
    newId: 'randomblob(16)',
    least: 'MIN',
    forUpdate: '',
    forShare: '',
    skipLocked: '',
    insertIgnore: 'INSERT OR IGNORE',
    parallelBatches: 1,
    onConflict: (columns: string) => `ON CONFLICT (${columns}) DO UPDATE SET`,
    excluded: (column: string) => `excluded.${column}`,
    returning: (expression: string) => expression,
  },
} satisfies Record<Dialect['name'], Dialect>;
