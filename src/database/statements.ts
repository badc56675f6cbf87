import type { Transaction } from 'sequelize';
import { sizeFor } from './batchSizes.ts';
import type { Dialect } from './dialect.ts';
import type { RunStatement, StatementBinds } from './runner.ts';
import { snakeCase, type Table } from './table.ts';

/** Statements with values bound by name. Each runs once, or fails. */
export type Statements = {
  /** Runs a SELECT, or a statement with RETURNING, and returns its rows. */
  select<Row extends object>(sql: string, binds: StatementBinds): Promise<Row[]>;
  /** Runs an INSERT, UPDATE or DELETE and returns the number of rows that it changed. */
  execute(sql: string, binds: StatementBinds): Promise<number>;
  /**
   * Runs an INSERT and returns the value of a column in one round trip: that of any row. Its expression is marked with
   * `dialect.returning`.
   */
  insertReturning(sql: string, column: string, binds: StatementBinds): Promise<number>;
};

/** The least that any supported server takes in a statement by default is four times as much. */
const portionBytes = 1_048_576;

/** The statements, each in a transaction of its own or in the open one. */
export function createStatements(
  run: RunStatement,
  { remembersMarked }: Dialect,
  transaction?: Transaction,
): Statements {
  async function select<Row extends object>(sql: string, binds: StatementBinds): Promise<Row[]> {
    const { rows } = await run(sql, binds, transaction);
    return rows as Row[];
  }

  async function execute(sql: string, binds: StatementBinds): Promise<number> {
    const { changed } = await run(sql, binds, transaction);
    return changed;
  }

  async function insertReturning(sql: string, column: string, binds: StatementBinds): Promise<number> {
    if (remembersMarked) return (await run(sql, binds, transaction)).marked;
    const [row] = await select<{ returned: number }>(`${sql} RETURNING ${column} AS returned`, binds);
    return Number(row?.returned);
  }

  return { select, execute, insertReturning };
}

/** A list that says no more than this one, and has the size of a batch: the last item is repeated. */
export function padded<Item>(items: Item[]): Item[] {
  const length = sizeFor(items.length);
  return Array.from({ length }, (_, index) => items[Math.min(index, items.length - 1)] as Item);
}

/** The names of lists, of which there are as few as lengths of padded ones. */
const lists = new Map<string, { names: string[]; text: string }>();

/** Values for `IN (…)`: the names to put there, and what is bound to them. Each list of a statement has its own `name`. */
export function inList(values: Buffer[], name = 'in'): { names: string; binds: StatementBinds } {
  const bound = padded(values);
  const { names, text } = listOf(name, bound.length);
  const binds: StatementBinds = {};
  for (const [index, value] of bound.entries()) binds[names[index] ?? name] = value;
  return { names: text, binds };
}

function listOf(name: string, length: number) {
  const key = `${name} ${length}`;
  const known = lists.get(key);
  if (known !== undefined) return known;
  const names = Array.from({ length }, (_, index) => `${name}${index}`);
  const list = { names, text: names.map((each) => `$${each}`).join(', ') };
  lists.set(key, list);
  return list;
}

/**
 * SQL that is repeated for each row, such as the values of an INSERT, after what stands before all of them. Values are bound
 * under the names in `each` with the number of the row. There is one text per number of rows, so callers limit that number.
 */
export function forEachRow(each: string, { before = '', separator = ', ' } = {}) {
  const names = [...new Set(each.match(/\$\w+/g))].map((name) => name.slice(1));
  /** The names of each row, and the text of each number of rows. */
  const numbered: string[][] = [];
  const texts = new Map<number, string>();

  function namesOf(row: number): string[] {
    numbered[row] ??= names.map((name) => `${name}_${row}`);
    return numbered[row];
  }

  function textFor(count: number): string {
    const text =
      texts.get(count) ??
      before + Array.from({ length: count }, (_, row) => each.replace(/\$\w+/g, `$&_${row}`)).join(separator);
    texts.set(count, text);
    return text;
  }

  return (rows: StatementBinds[]): { sql: string; binds: StatementBinds } => {
    const binds: StatementBinds = {};
    for (const [index, row] of rows.entries()) {
      const numberedNames = namesOf(index);
      for (const [at, name] of names.entries()) binds[numberedNames[at] ?? name] = row[name] ?? null;
    }
    return { sql: textFor(rows.length), binds };
  };
}

/**
 * The INSERT of new rows into a table, built once from its description. Each column is bound under its name, or has the
 * SQL that `sql` says, or is left to the database's default: always, or where what is bound to it is null, false or 0 in
 * every row. The second has one text for all such columns, since a server keeps few texts.
 */
export function insertOf<Row extends object>(
  { name: table, columns }: Table<Row>,
  { sql, byDefault, seldom }: InsertColumns<Row>,
) {
  const bindOf = (name: keyof Row & string) => /\$(\w+)/.exec(sql[name] ?? '')?.[1] ?? name;
  const seldomBound = seldom.map(bindOf);

  function without(left: readonly (keyof Row)[]) {
    const names = (Object.keys(columns) as (keyof Row & string)[]).filter((name) => !left.includes(name));
    const values = names.map((name) => sql[name] ?? `$${name}`).join(', ');
    const before = `INSERT INTO ${table} (${names.map(snakeCase).join(', ')}) VALUES `;
    return forEachRow(`(${values})`, { before });
  }

  const [whole, short] = [without(byDefault), without([...byDefault, ...seldom])];
  return (rows: StatementBinds[]) =>
    (rows.some((row) => seldomBound.some((name) => row[name])) ? whole : short)(rows);
}

type InsertColumns<Row> = {
  sql: { [Name in keyof Row]?: string };
  byDefault: readonly (keyof Row)[];
  seldom: readonly (keyof Row & string)[];
};

/** Divides rows into portions that are at most a mebibyte long, in their order; a longer row is a portion alone. */
export function inPortions<Row>(rows: Row[], bytesOf: (row: Row) => number): Row[][] {
  const portions: Row[][] = [];
  let room = 0;
  for (const row of rows) {
    const bytes = bytesOf(row);
    const last = portions.at(-1);
    if (last !== undefined && bytes <= room) last.push(row);
    else {
      portions.push([row]);
      room = portionBytes;
    }
    room -= bytes;
  }
  return portions;
}
