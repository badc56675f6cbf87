/**
 * The longest that a statement takes, locks that it waits for included. Its `now` is when it began, so times that others
 * have written meanwhile are in its future by so much.
 */
export const statementMsMax = 30_000;

/** What can be bound into a statement. */
export type BoundValue = string | number | boolean | Buffer | null;

/** A statement's rows; how many rows it changed; and the number that an INSERT marked with `LAST_INSERT_ID`. */
export type DriverResult = { rows: object[]; changed: number; marked: number };

/** How a driver is given a statement. Its values are in the order of their question marks. */
type Send = (connection: unknown, text: string, values: BoundValue[]) => Promise<DriverResult>;

/** Queries of the schema, for `schemaLines`. */
export type SchemaQueries = Record<'columns' | 'primaryKeys' | 'indexes' | 'foreignKeys', string>;

/**
 * What differs between the families of databases: a folder for each. SQL that is only a text has the same result on all.
 * Times are epoch milliseconds by the database's clock.
 */
export type Dialect = {
  name: 'mysql' | 'sqlite';
  /** The current time in epoch milliseconds. Tests may replace it with a fixed time. */
  now: string;
  newId: string;
  least: string;
  forUpdate: string;
  forShare: string;
  skipLocked: string;
  /** An INSERT, given without its first word, that changes nothing if there is a row with the same `key`. */
  insertIgnore(key: string, into: string): string;
  /** Begins an UPDATE that passes over rows whose new key another row has. */
  updateIgnore: string;
  /** Ends an INSERT: a row with the same `key` gets the new values of columns, and then `changes`. */
  onConflict(key: string, columns: string[], changes?: string): string;
  /** The value that the INSERT would have given to a column, in `changes`. */
  excluded(column: string): string;
  /** How many batches of one kind run at once. A second one gains nothing where there is one writer. */
  parallelBatches: number;
  /** Marks the expression of an INSERT whose value `insertReturning` gives. */
  returning(expression: string): string;
  /** Whether the driver then gives that value by itself, and no RETURNING is needed. MySQL has none. */
  remembersMarked: boolean;
  /** Ends the statement that creates a table. Where it is absent, indexes are statements of their own. */
  tableOptions: string | undefined;
  /** The version, as an expression. */
  version: string;
  /** The longest statement, as an expression; undefined where nothing limits it. */
  packetBytes: string | undefined;
  /** Empties the log of an embedded database. */
  scrub: string | undefined;
  schemaQueries: SchemaQueries;
  send: Send;
};

/** The assignments of an upsert. */
export function assignments(
  columns: string[],
  newValueOf: (column: string) => string,
  changes?: string,
): string {
  const assigned = columns.map((column) => `${column} = ${newValueOf(column)}`);
  return [...assigned, ...(changes === undefined ? [] : [changes])].join(', ');
}

/** Options of Sequelize that are the same for every database. */
export const sharedOptions = {
  logging: false,
  timezone: '+00:00',
  retry: { max: 1 },
  define: { timestamps: false, underscored: true },
} as const;

/** The first versions with SELECT … SKIP LOCKED, without which requests that arrive together would wait for each other. */
const oldest = { MariaDB: [10, 6], MySQL: [8, 0] } as const;

/** Why a server cannot be used, by what it says of its version; undefined if it can. */
export function serverProblem(version: string): string | undefined {
  if (version.startsWith('SQLite')) return undefined;
  const mariadb = /(\d+)\.(\d+)\.\d+-MariaDB/i.exec(version);
  const product = mariadb === null ? 'MySQL' : 'MariaDB';
  const [, major = '', minor = ''] = mariadb ?? /^(\d+)\.(\d+)/.exec(version) ?? [];
  const [oldestMajor, oldestMinor] = oldest[product];
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor);
  return isOld
    ? `The database server is ${product} ${major}.${minor}, and too old: hushpush needs MariaDB 10.6, MySQL 8.0, or newer.`
    : undefined;
}
