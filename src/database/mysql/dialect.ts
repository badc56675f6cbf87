import {
  assignments,
  type BoundValue,
  type Dialect,
  type DriverResult,
  type SchemaQueries,
} from '../dialect.ts';
import { unsentCode } from '../errors.ts';

const schemaQueries: SchemaQueries = {
  columns: `SELECT table_name AS \`table\`, column_name AS name, column_type AS type, is_nullable = 'NO' AS isRequired,
    column_default AS initial FROM information_schema.columns WHERE table_schema = DATABASE()`,
  primaryKeys: `SELECT table_name AS \`table\`, 'primary key' AS kind, index_name AS \`index\`, column_name AS name
    FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name = 'PRIMARY'
    ORDER BY table_name, seq_in_index`,
  indexes: `SELECT table_name AS \`table\`, CASE non_unique WHEN 0 THEN 'unique' ELSE 'index' END AS kind,
    index_name AS \`index\`, column_name AS name
    FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name <> 'PRIMARY'
    ORDER BY table_name, index_name, seq_in_index`,
  foreignKeys: `SELECT k.table_name AS \`table\`, k.constraint_name AS \`key\`, k.column_name AS name,
    k.referenced_table_name AS parent, k.referenced_column_name AS target, r.delete_rule AS \`end\`
    FROM information_schema.key_column_usage AS k JOIN information_schema.referential_constraints AS r
      ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name
    WHERE k.table_schema = DATABASE() AND k.referenced_table_name IS NOT NULL
    ORDER BY k.table_name, k.constraint_name, k.ordinal_position`,
};

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
  schemaQueries,
  send,
} satisfies Dialect;

type MysqlError = Error & { code?: string };
type MysqlDone = (
  error: MysqlError | null,
  result: object[] | { affectedRows: number; insertId: number },
) => void;

type MysqlConnection = {
  query(text: string, done: MysqlDone): unknown;
  /** Prepares a text once per connection. */
  execute(text: string, values: BoundValue[], done: MysqlDone): unknown;
};

function send(connection: unknown, text: string, values: BoundValue[]): Promise<DriverResult> {
  const mysql = connection as MysqlConnection;
  return new Promise((resolve, reject) => {
    const done: MysqlDone = (error, result) => {
      if (error) reject(withCode(error));
      else if (Array.isArray(result)) resolve({ rows: result, changed: 0, marked: 0 });
      else resolve({ rows: [], changed: result.affectedRows, marked: result.insertId });
    };
    if (values.length === 0) mysql.query(text, done);
    else mysql.execute(text, values, done);
  });
}

/** How mysql2 refuses a statement for which its connection had ended before. Such an error has no code. */
const closedState = "Can't add new command when connection is in closed state";

/** Other errors without a code can follow a statement that the server has carried out, such as that of a broken response. */
function withCode(error: MysqlError): MysqlError {
  return error.message === closedState ? Object.assign(error, { code: unsentCode }) : error;
}
