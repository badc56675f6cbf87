import type { Database } from './database.ts';

type TableDefinition = {
  columns: Record<string, string>;
  constraints?: string[];
  indexes?: Record<string, string>;
};

/** What a migration may do. Every step must be repeatable without harm: a process can die between any two steps. */
export type Schema = ReturnType<typeof createSchema>;

const mysqlTable = 'ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin';

/**
 * SQL steps that MySQL, MariaDB and SQLite all understand. A table and its indexes are one statement where the
 * database allows it.
 */
export function createSchema({ sequelize, dialect }: Database) {
  const isMysql = dialect.name === 'mysql';

  async function createTable(
    name: string,
    { columns, constraints = [], indexes = {} }: TableDefinition,
  ): Promise<void> {
    const lines = [...Object.entries(columns).map(([column, type]) => `${column} ${type}`), ...constraints];
    if (isMysql) lines.push(...Object.entries(indexes).map(([index, on]) => `KEY ${index} (${on})`));
    const options = isMysql ? mysqlTable : '';
    await sequelize.query(`CREATE TABLE IF NOT EXISTS ${name} (${lines.join(', ')}) ${options}`);
    if (isMysql) return;
    for (const [index, on] of Object.entries(indexes)) {
      await sequelize.query(`CREATE INDEX IF NOT EXISTS ${index} ON ${name} (${on})`);
    }
  }

  const dropTable = (name: string) => sequelize.query(`DROP TABLE IF EXISTS ${name}`);

  async function columnsOf(table: string): Promise<Set<string>> {
    return new Set(Object.keys(await sequelize.getQueryInterface().describeTable(table)));
  }

  async function addColumns(table: string, columns: Record<string, string>): Promise<void> {
    const present = await columnsOf(table);
    for (const [column, type] of Object.entries(columns)) {
      if (!present.has(column)) await sequelize.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    }
  }

  async function dropColumns(table: string, columns: string[]): Promise<void> {
    const present = await columnsOf(table);
    for (const column of columns) {
      if (present.has(column)) await sequelize.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
  }

  async function hasIndex(table: string, index: string): Promise<boolean> {
    const indexes = (await sequelize.getQueryInterface().showIndex(table)) as { name: string }[];
    return indexes.some(({ name }) => name === index);
  }

  async function addIndex(table: string, index: string, on: string): Promise<void> {
    if (!(await hasIndex(table, index))) await sequelize.query(`CREATE INDEX ${index} ON ${table} (${on})`);
  }

  async function dropIndex(table: string, index: string): Promise<void> {
    if (await hasIndex(table, index))
      await sequelize.query(`DROP INDEX ${index}${isMysql ? ` ON ${table}` : ''}`);
  }

  return {
    createTable,
    dropTable,
    addColumns,
    dropColumns,
    addIndex,
    dropIndex,
    sequelize,
    dialect,
  };
}
