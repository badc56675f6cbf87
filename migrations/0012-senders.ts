import type { Schema } from '../src/database/schema.ts';

/** What the sender of a push says of themselves, encrypted and erased as its payload is. */
export async function up({ addColumn }: Schema): Promise<void> {
  await addColumn('pushes', 'sender', 'BLOB');
}

export async function down({ sequelize }: Schema): Promise<void> {
  await sequelize.query('ALTER TABLE pushes DROP COLUMN sender');
}
