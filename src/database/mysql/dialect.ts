import { assignments, type BoundValue, type Dialect, type DriverResult } from '../dialect.ts';
import { mysqlSchemaQueries } from './schemaQueries.ts';

const excluded = (column: string) => `VALUES(${column})`;

/** MySQL, MariaDB and Galera clusters. */
export const mysqlDialect = {
  name: 'mysql',
  now: 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)',
  newId: "UNHEX(REPLACE(UUID(), '-', ''))",
  least: 'LEAST',
  forUpdate: 'FOR UPDATE',
  forShare: 'LOCK IN SHARE MODE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  insertIgnore: (_key, into) => `INSERT IGNORE ${into}`,
  updateIgnore: 'UPDATE IGNORE',
  onConflict: (_key, columns, changes) =>
    `ON DUPLICATE KEY UPDATE ${assignments(columns, excluded, changes)}`,
  excluded,
  parallelBatches: 2,
  returning: (expression) => `LAST_INSERT_ID(${expression})`,
  remembersMarked: true,
  tableOptions: 'ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin',
  version: 'VERSION()',
  packetBytes: '@@max_allowed_packet',
  scrub: undefined,
  schemaQueries: mysqlSchemaQueries,
  send,
} satisfies Dialect;

type MysqlDone = (error: Error | null, result: object[] | { affectedRows: number; insertId: number }) => void;

type MysqlConnection = {
  query(text: string, done: MysqlDone): unknown;
  /** Prepares a text once per connection. */
  execute(text: string, values: BoundValue[], done: MysqlDone): unknown;
};

function send(connection: unknown, text: string, values: BoundValue[]): Promise<DriverResult> {
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
