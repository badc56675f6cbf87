import { expect } from 'chai';
import type { ModelAttributeColumnOptions } from 'sequelize';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { foreignKeysOf, modelOf, type Table } from '../../src/database/table.ts';
import { tables } from '../../src/domain/tables.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../harness/database.ts';
import { migrationsFolder } from '../harness/service.ts';

const all: readonly Table<Record<string, unknown>>[] = tables;

type StoredKey = { column: string; parent: string; onDelete: string };

const sorted = (keys: StoredKey[]) => keys.sort((a, b) => a.column.localeCompare(b.column));

describe('The description of a table', () => {
  let fresh: FreshDatabase;
  let database: Database;

  before(async () => {
    fresh = await freshDatabase();
    database = connectDatabase(fresh.url, { poolSize: 1 });
    await createMigrations(database, migrationsFolder).up();
  });

  after(async () => {
    await database.close();
    await fresh.drop();
  });

  async function foreignKeysIn(table: string): Promise<StoredKey[]> {
    const sql = onMariadb
      ? `SELECT k.column_name AS \`column\`, k.referenced_table_name AS parent, r.delete_rule AS onDelete
         FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
           ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name
         WHERE k.table_schema = DATABASE() AND k.table_name = '${table}' AND k.referenced_table_name IS NOT NULL`
      : `SELECT "from" AS "column", "table" AS parent, on_delete AS onDelete FROM pragma_foreign_key_list('${table}')`;
    return sorted(await database.select<StoredKey>(sql, {}));
  }

  const describedForeignKeys = (table: Table<Record<string, unknown>>) =>
    sorted(
      foreignKeysOf(table).map(({ column, parent, isCleared }) => ({
        column,
        parent,
        onDelete: isCleared ? 'SET NULL' : 'CASCADE',
      })),
    );

  it('exists for every table of the domain', async () => {
    const names = await database.sequelize.getQueryInterface().showAllTables();
    const others = ['migration_lock', 'migrations', 'scheduler_jobs', 'scheduler_log', 'sqlite_sequence'];
    expect(names.map(String).filter((name) => !others.includes(name))).to.have.members(
      tables.map(({ name }) => name),
    );
  });

  for (const table of all) {
    it(`of ${table.name} has the columns and foreign keys of the database`, async () => {
      const model = modelOf(database.sequelize, table);
      const attributes: ModelAttributeColumnOptions[] = Object.values(model.getAttributes());
      const stored = await database.sequelize.getQueryInterface().describeTable(table.name);
      const columns = attributes.map(({ field = '', allowNull, primaryKey = false }) => [
        field,
        { allowNull, primaryKey },
      ]);
      expect(Object.fromEntries(columns)).to.deep.equal(
        Object.fromEntries(
          Object.entries(stored).map(([field, { allowNull, primaryKey }]) => [
            field,
            { allowNull, primaryKey: Boolean(primaryKey) },
          ]),
        ),
      );
      expect(await foreignKeysIn(table.name)).to.deep.equal(describedForeignKeys(table));
    });
  }
});
