import type { Database } from './database.ts';

type Column = {
  table: string;
  name: string;
  type: string;
  isRequired: number;
  initial: string | null;
};
/** A column of a primary key or an index. */
type IndexPart = { table: string; kind: string; index: string; name: string };
type ForeignKeyPart = {
  table: string;
  key: string;
  name: string;
  parent: string;
  target: string;
  end: string;
};

/**
 * The schema of a database in a form that is the same on MySQL, MariaDB and SQLite: a line for each column, key and index,
 * without the names of keys and indexes.
 */
export async function schemaLines({ select, dialect }: Database): Promise<Set<string>> {
  const { columns, primaryKeys, indexes, foreignKeys } = dialect.schemaQueries;
  const lines = (await select<Column>(columns, {})).map(columnLine);
  for (const parts of [await select<IndexPart>(primaryKeys, {}), await select<IndexPart>(indexes, {})])
    for (const [first, names] of grouped(parts, ({ table, index }) => `${table} ${index}`))
      lines.push(`${first.kind} ${first.table} (${names})`);
  const references = grouped(
    await select<ForeignKeyPart>(foreignKeys, {}),
    ({ table, key }) => `${table} ${key}`,
  );
  for (const [{ table, parent, target, end }, names] of references)
    lines.push(`foreign key ${table} (${names}) of ${parent} (${target}) on delete ${ruleOf(end)}`);
  return new Set(lines);
}

function columnLine({ table, name, type, isRequired, initial }: Column): string {
  const value =
    initial === null || initial.toUpperCase() === 'NULL' ? '' : ` default ${initialValueOf(initial)}`;
  return `${table}.${name} ${typeOf(type)}${Number(isRequired) === 1 ? ' not null' : ''}${value}`;
}

/** Servers call BOOLEAN tinyint(1), and some give integers a width that has no effect. */
function typeOf(type: string): string {
  const lower = type.toLowerCase();
  return lower === 'tinyint(1)' ? 'boolean' : lower.replace(/^(\w*int)(?:eger)?\(\d+\)/, '$1');
}

function initialValueOf(initial: string): string {
  const values: Record<string, string> = { FALSE: '0', TRUE: '1' };
  return values[initial.toUpperCase()] ?? initial.replace(/^'(.*)'$/, '$1');
}

/** To keep a parent is called either. */
const ruleOf = (rule: string) => rule.toLowerCase().replace('restrict', 'no action');

/** The first part of each group of rows, with the names of all. */
function grouped<Part extends { name: string }>(
  parts: Part[],
  keyOf: (part: Part) => string,
): [Part, string][] {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const key = keyOf(part);
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()].map((group) => [group[0] as Part, group.map(({ name }) => name).join(', ')]);
}
