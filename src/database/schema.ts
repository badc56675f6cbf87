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

  return { createTable, dropTable, sequelize, dialect };
}
