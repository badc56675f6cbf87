import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

type Schema = {
  /** What each migration makes of the schema: lines, those that it removes after a `-`. */
  changes: Record<string, string[]>;
  /** The migrations of each release. */
  released: Record<string, object>;
  /** The first release that no longer uses a column or a table; null until it is released. */
  unread: Record<string, string | null>;
};

const folder = join(import.meta.dirname, '..', '..', 'migrations');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** The column that a line is about, and its table; undefined for an index or a key. */
function columnOf(line: string): { table: string; column: string; type: string } | undefined {
  const [, table, column, type] = /^-?(\w+)\.(\w+) (.*)$/.exec(line) ?? [];
  return table && column && type ? { table, column, type } : undefined;
}

/** Why processes of the last release could not go on beside migrations that are newer than it. */
function problemsOf({ changes, released, unread }: Schema): string[] {
  const frozen = new Set(Object.values(released).flatMap((migrations) => Object.keys(migrations)));
  const columnsIn = (names: string[]) =>
    names.flatMap((name) => changes[name] ?? []).flatMap((line) => columnOf(line) ?? []);
  const tables = new Set(columnsIn([...frozen]).map(({ table }) => table));
  return Object.entries(changes)
    .filter(([name]) => !frozen.has(name))
    .flatMap(([name, lines]) => {
      const added = lines.filter((line) => !line.startsWith('-')).flatMap((line) => columnOf(line) ?? []);
      const removed = lines.filter((line) => line.startsWith('-')).flatMap((line) => columnOf(line) ?? []);
      const isChanged = (one: { table: string; column: string }) =>
        added.some(({ table, column }) => table === one.table && column === one.column);
      return [
        ...removed
          .filter(({ table }) => tables.has(table))
          .flatMap((one) => {
            const column = `${one.table}.${one.column}`;
            if (isChanged(one))
              return `${name} changes ${column}, which the last release uses: add another column instead.`;
            const release = unread[column];
            return release && release in released
              ? []
              : `${name} drops or renames ${column}, which the last release reads: stop using it, list it in migrations/unread.json, and drop it in the release after that.`;
          }),
        ...added
          .filter(
            (one) =>
              tables.has(one.table) &&
              !removed.some(({ column, table }) => column === one.column && table === one.table),
          )
          .filter(({ type }) => type.includes('not null') && !type.includes('default'))
          .map(
            ({ table, column }) =>
              `${name} adds ${table}.${column}, which the last release does not fill: let it be null, or give it a default.`,
          ),
      ];
    });
}

describe('A migration after a release', () => {
  const released = { '1.0.0': { '0001-flowers': {} } };
  const first = ['flowers.id binary(16) not null', 'flowers.name varchar(20)', 'primary key flowers (id)'];
  const problems = (lines: string[], unread: Schema['unread'] = {}) =>
    problemsOf({ changes: { '0001-flowers': first, '0002-more': lines }, released, unread });

  it('lets processes of the last release go on', () => {
    const schema = {
      changes: read('schema.json'),
      released: read('released.json'),
      unread: read('unread.json'),
    };
    expect(problemsOf(schema)).to.deep.equal([]);
  });

  it('may add tables, indexes, and columns that need no value', () => {
    const lines = [
      'flowers.colour varchar(20)',
      'flowers.height int not null default 0',
      'index flowers (colour)',
    ];
    expect(problems([...lines, 'vases.id binary(16) not null'])).to.deep.equal([]);
  });

  it('may not drop or rename what the last release reads, nor change its type', () => {
    expect(problems(['-flowers.name varchar(20)'])).to.deep.equal([
      '0002-more drops or renames flowers.name, which the last release reads: stop using it, list it in migrations/unread.json, and drop it in the release after that.',
    ]);
    expect(problems(['-flowers.name varchar(20)', 'flowers.title varchar(20)'])).to.have.length(1);
    expect(problems(['-flowers.name varchar(20)', 'flowers.name varchar(10)']).join()).to.contain(
      'changes flowers.name',
    );
  });

  it('may drop a column that a release has not used, and no sooner', () => {
    const drop = ['-flowers.name varchar(20)'];
    expect(problems(drop, { 'flowers.name': null })).to.have.length(1);
    expect(problems(drop, { 'flowers.name': '1.1.0' })).to.have.length(1);
    expect(problems(drop, { 'flowers.name': '1.0.0' })).to.deep.equal([]);
  });

  it('may not add a column to an old table that must have a value', () => {
    expect(problems(['flowers.colour varchar(20) not null'])).to.deep.equal([
      '0002-more adds flowers.colour, which the last release does not fill: let it be null, or give it a default.',
    ]);
  });
});
