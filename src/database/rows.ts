import { QueryTypes, Transaction } from 'sequelize';
import type { Database } from './database.ts';
import { forEachRow } from './statements.ts';

/** A table as it is stored: the types of its columns by their names, and the columns of its primary key. */
type StoredTable = { columns: Map<string, string>; key: string[] };
export type StoredTables = Map<string, StoredTable>;

/** Thrown when lines are not rows of the tables that they are read into. */
class UnfitRows extends Error {
  constructor() {
    super('What is in the backup are no rows of the tables of this version.');
  }
}

type Value = null | number | string | { base64: string };
type Row = Record<string, null | number | string | Buffer>;

const rowsPerPage = 500;
/** Of tables with values of several MiB. */
const largeRowsPerPage = 16;
const rowsPerInsert = 100;
const bytesPerInsert = 1_048_576;
const lineBytesMax = 64 * 1024 ** 2;

/** The tables and columns of a schema, by the lines that describe it. */
export function tablesOf(lines: Iterable<string>): StoredTables {
  const tables: StoredTables = new Map();
  const tableOf = (name: string): StoredTable => {
    const table = tables.get(name) ?? { columns: new Map<string, string>(), key: [] };
    tables.set(name, table);
    return table;
  };
  for (const line of lines) {
    const [, table = '', column, type] = /^(\w+)\.(\w+) (\S+)/.exec(line) ?? [];
    if (column !== undefined && type !== undefined) tableOf(table).columns.set(column, type);
    const [, owner = '', key] = /^primary key (\w+) \((.*)\)$/.exec(line) ?? [];
    if (key !== undefined) tableOf(owner).key.push(...key.split(', '));
  }
  return tables;
}

/**
 * All rows of tables of a server as they are at one moment, as lines of JSON: for each table an object with its name and
 * columns, then an array for each of its rows.
 */
export async function* readRows({ sequelize }: Database, tables: StoredTables): AsyncGenerator<string> {
  const transaction = await sequelize.transaction({
    isolationLevel: Transaction.ISOLATION_LEVELS.REPEATABLE_READ,
  });
  try {
    for (const [name, table] of tables) {
      yield `${JSON.stringify({ table: name, columns: [...table.columns.keys()] })}\n`;
      for await (const page of pagesOf(name, table)) yield page.map((row) => `${lineOf(row)}\n`).join('');
    }
  } finally {
    await transaction.rollback();
  }

  async function* pagesOf(name: string, { columns, key }: StoredTable): AsyncGenerator<Row[]> {
    const isLarge = [...columns.values()].some((type) => /^(?:medium|long)/.test(type));
    const limit = isLarge ? largeRowsPerPage : rowsPerPage;
    for (let last: Row | undefined; ; ) {
      const after = last === undefined ? '' : `WHERE ${isAfter(name, key)}`;
      const replacements = { ...last };
      const order = key.map((column) => `${name}.${column}`).join(', ');
      const page: Row[] = await sequelize.query(
        `SELECT ${[...columns.keys()].join(', ')} FROM ${name} ${after} ORDER BY ${order} LIMIT ${limit}`,
        { type: QueryTypes.SELECT, replacements, transaction },
      );
      if (page.length > 0) yield page;
      if (page.length < limit) return;
      last = page.at(-1);
    }
  }
}

/** Written out, because servers use no index for `(a, b) > (c, d)`. */
function isAfter(table: string, [first = '', ...rest]: string[]): string {
  const column = `${table}.${first}`;
  if (rest.length === 0) return `${column} > :${first}`;
  return `(${column} > :${first} OR (${column} = :${first} AND ${isAfter(table, rest)}))`;
}

function lineOf(row: Row): string {
  const values = Object.values(row).map((value) =>
    Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value,
  );
  return JSON.stringify(values);
}

/**
 * Inserts what `readRows` gave into empty tables, as values only: nothing in it is ever run. The connection must be the
 * only one of its pool. Throws UnfitRows.
 */
export async function insertRows(
  { select, execute }: Database,
  tables: StoredTables,
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  await select('SET SESSION foreign_key_checks = 0', {}); // tables come in any order
  let table = '';
  let columns: string[] = [];
  let waiting: Row[] = [];
  let waitingBytes = 0;

  async function insert(): Promise<void> {
    if (waiting.length === 0) return;
    const names = columns.map((column) => `$${column}`).join(', ');
    const { sql, binds } = forEachRow(`(${names})`)(waiting);
    await execute(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${sql}`, binds);
    waiting = [];
    waitingBytes = 0;
  }

  for await (const line of linesOf(bytes)) {
    const parsed = parse(line);
    if (Array.isArray(parsed)) {
      waiting.push(rowOf(parsed, columns, tables.get(table)));
      waitingBytes += line.length;
      if (waiting.length === rowsPerInsert || waitingBytes >= bytesPerInsert) await insert();
    } else {
      await insert();
      ({ table, columns } = parsed);
      const known = tables.get(table);
      if (known === undefined || !columns.every((column) => known.columns.has(column))) throw new UnfitRows();
    }
  }
  await insert();
}

function parse(line: Buffer): unknown[] | { table: string; columns: string[] } {
  try {
    const value = JSON.parse(line.toString('utf8'));
    if (Array.isArray(value)) return value;
    if (typeof value.table === 'string' && Array.isArray(value.columns)) return value;
  } catch {
    // refused below
  }
  throw new UnfitRows();
}

function rowOf(values: unknown[], columns: string[], table: StoredTable | undefined): Row {
  if (table === undefined || values.length !== columns.length) throw new UnfitRows();
  return Object.fromEntries(
    columns.map((column, index) => [
      column,
      storedValue(values[index] as Value, table.columns.get(column) ?? ''),
    ]),
  );
}

function storedValue(value: Value, type: string): Row[string] {
  if (value === null) return null;
  const isBinary = /binary|blob/.test(type);
  if (typeof value === 'object' && isBinary && typeof value.base64 === 'string')
    return Buffer.from(value.base64, 'base64');
  if (!isBinary && (typeof value === 'string' || typeof value === 'number')) return value;
  throw new UnfitRows();
}

/** Only line feeds end a line: JSON may have any other separator in it. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      size = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > lineBytesMax) throw new UnfitRows();
  }
  if (size > 0) throw new UnfitRows();
}
