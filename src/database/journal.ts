import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

const journal = 'migrations';

/** An applied migration. The fingerprint says what it made; databases from before 1.0.0-rc.2 have none. */
export type AppliedMigration = { name: string; fingerprint?: string | null };

/** The table that names the applied migrations, and what each of them made. */
export function createJournal({ hasTable, select, execute }: Database, { createTable }: Schema) {
  return {
    async applied(): Promise<AppliedMigration[]> {
      if (!(await hasTable(journal))) return [];
      return select<AppliedMigration>(`SELECT * FROM ${journal} ORDER BY name`, {});
    },
    async open(): Promise<void> {
      await createTable(journal, {
        columns: { name: 'VARCHAR(255) NOT NULL PRIMARY KEY', fingerprint: 'CHAR(64)' },
      });
    },
    add: (name: string, fingerprint: string) =>
      execute(`INSERT INTO ${journal} (name, fingerprint) VALUES ($name, $fingerprint)`, {
        name,
        fingerprint,
      }),
    remove: (name: string) => execute(`DELETE FROM ${journal} WHERE name = $name`, { name }),
  };
}
