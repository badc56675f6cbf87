import type { Schema } from '../src/database/schema.ts';

/**
 * `sealed_key` has the id of an answer that was encrypted before it was sent, and its key, which only whoever asked can open;
 * encrypted once more.
 */
export async function up({ addColumn }: Schema): Promise<void> {
  await addColumn('request_answers', 'sealed_key', 'VARBINARY(500)');
}

export async function down({ sequelize }: Schema): Promise<void> {
  await sequelize.query('ALTER TABLE request_answers DROP COLUMN sealed_key');
}
