import type { Schema } from '../src/database/schema.ts';

/** When the last backup was taken: one row, or none. */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('backups', { columns: { taken_at: 'BIGINT NOT NULL PRIMARY KEY' } });
}

export async function down({ dropTable }: Schema): Promise<void> {
  await dropTable('backups');
}
