import type { Schema } from '../src/database/schema.ts';

/**
 * From where an API token was last used, and for what it stands, if not for itself: for the token that it was until that one
 * replaced it.
 */
export async function up({ addColumn, createUniqueIndex }: Schema): Promise<void> {
  await addColumn('api_tokens', 'last_used_ip', 'VARCHAR(45)');
  await addColumn('api_tokens', 'holder_id', 'BINARY(16)');
  await createUniqueIndex('api_tokens_by_end', 'api_tokens', 'expires_at, id');
}

export async function down({ sequelize, dropIndex }: Schema): Promise<void> {
  await dropIndex('api_tokens_by_end', 'api_tokens');
  for (const column of ['holder_id', 'last_used_ip'])
    await sequelize.query(`ALTER TABLE api_tokens DROP COLUMN ${column}`);
}
