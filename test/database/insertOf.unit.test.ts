import { expect } from 'chai';
import { insertOf } from '../../src/database/statements.ts';
import { column, nullable, table } from '../../src/database/table.ts';

const things = table('things', {
  name: column.text,
  note: nullable(column.text),
  isLarge: column.flag,
  endsAt: nullable(column.integer),
  createdAt: column.integer,
  deleted: column.flag,
});

const insertion = insertOf(things, {
  byDefault: ['deleted'],
  seldom: ['note', 'isLarge', 'endsAt'],
  sql: { createdAt: 'NOW', endsAt: 'NOW + $lifeMs' },
});
const plain = { name: 'a', note: null, isLarge: false, lifeMs: null };
const columnsIn = (sql: string) => /\((.*?)\) VALUES/.exec(sql)?.[1];

describe('The INSERT of rows', () => {
  it('leaves out what has its default in every row', () => {
    const { sql, binds } = insertion([plain, { ...plain, name: 'b' }]);
    expect(sql).to.equal('INSERT INTO things (name, created_at) VALUES ($name_0, NOW), ($name_1, NOW)');
    expect(binds).to.deep.equal({ name_0: 'a', name_1: 'b' });
  });

  for (const given of [{ note: 'x' }, { isLarge: true }, { lifeMs: 5 }])
    it(`has all columns once a row has ${Object.keys(given)}`, () => {
      const { sql, binds } = insertion([plain, { ...plain, ...given }]);
      expect(columnsIn(sql)).to.equal('name, note, is_large, ends_at, created_at');
      expect(binds).to.include({ note_0: null, isLarge_0: false, lifeMs_0: null });
      for (const [name, value] of Object.entries(given)) expect(binds[`${name}_1`]).to.equal(value);
    });
});
