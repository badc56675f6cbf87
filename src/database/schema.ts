import type { Database } from './database.ts';

type TableDefinition = {
  columns: Record<string, string>;
  constraints?: string[];
  indexes?: Record<string, string>;
};

/** What a migration may do. Every step must be repeatable without harm: a process can die between any two steps. */
export type Schema = ReturnType<typeof createSchema>;

/**
 * SQL steps that MySQL, MariaDB and SQLite all understand. A table and its indexes are one statement where the
 * database allows it.
 */
export function createSchema({ sequelize, dialect, isMysqlItself }: Database) {
  const { tableOptions } = dialect;
  const hasIndexesInTables = tableOptions !== undefined;

  async function createTable(
    name: string,
    { columns, constraints = [], indexes = {} }: TableDefinition,
  ): Promise<void> {
    const lines = [...Object.entries(columns).map(([column, type]) => `${column} ${type}`), ...constraints];
    if (hasIndexesInTables)
      lines.push(...Object.entries(indexes).map(([index, on]) => `KEY ${index} (${on})`));
    await sequelize.query(`CREATE TABLE IF NOT EXISTS ${name} (${lines.join(', ')}) ${tableOptions ?? ''}`);
    if (hasIndexesInTables) return;
    for (const [index, on] of Object.entries(indexes)) {
      await sequelize.query(`CREATE INDEX IF NOT EXISTS ${index} ON ${name} (${on})`);
    }
  }

  async function addColumn(table: string, column: string, type: string): Promise<void> {
    if (column in (await sequelize.getQueryInterface().describeTable(table))) return;
    await sequelize.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
  }

  async function createUniqueIndex(name: string, table: string, on: string): Promise<void> {
    if (!(await hasIndex(name, table)))
      await sequelize.query(`CREATE UNIQUE INDEX ${name} ON ${table} (${on})`);
  }

  async function dropIndex(name: string, table: string): Promise<void> {
    if (await hasIndex(name, table))
      await sequelize.query(`DROP INDEX ${name}${hasIndexesInTables ? ` ON ${table}` : ''}`);
  }

  async function hasIndex(name: string, table: string): Promise<boolean> {
    const indexes = (await sequelize.getQueryInterface().showIndex(table)) as { name: string }[];
    return indexes.some((index) => index.name === name);
  }

  const dropTable = (name: string) => sequelize.query(`DROP TABLE IF EXISTS ${name}`);

  return {
    createTable,
    addColumn,
    dropTable,
    createUniqueIndex,
    dropIndex,
    sequelize,
    dialect,
    isMysqlItself,
  };
}
