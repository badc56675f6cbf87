import {
  assignments,
  type BoundValue,
  type Dialect,
  type DriverResult,
  type SchemaQueries,
} from '../dialect.ts';

const sqliteTables = `sqlite_master AS t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
const ofTables = (pragma: string) => sqliteTables.replace(' WHERE ', ` JOIN ${pragma} WHERE `);

const schemaQueries: SchemaQueries = {
  columns: `SELECT t.name AS "table", c.name, c.type, c."notnull" AS isRequired, c.dflt_value AS initial
    FROM ${ofTables('pragma_table_info(t.name) AS c')}`,
  primaryKeys: `SELECT t.name AS "table", 'primary key' AS kind, '' AS "index", c.name
    FROM ${ofTables('pragma_table_info(t.name) AS c')} AND c.pk > 0 ORDER BY t.name, c.pk`,
  indexes: `SELECT t.name AS "table", CASE i."unique" WHEN 1 THEN 'unique' ELSE 'index' END AS kind, i.name AS "index", c.name
    FROM ${ofTables('pragma_index_list(t.name) AS i JOIN pragma_index_info(i.name) AS c')} AND i.origin <> 'pk'
    ORDER BY t.name, i.name, c.seqno`,
  foreignKeys: `SELECT t.name AS "table", f.id AS "key", f."from" AS name, f."table" AS parent, f."to" AS target, f.on_delete AS "end"
    FROM ${ofTables('pragma_foreign_key_list(t.name) AS f')} ORDER BY t.name, f.id, f.seq`,
};

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
  schemaQueries,
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
