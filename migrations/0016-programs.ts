import type { Schema } from '../src/database/schema.ts';

/**
 * From where an API token was last used, and for what it stands, if not for itself: the token that replaced it, or a rule. Rules
 * say whose tokens an account trusts: those of an issuer, for an audience, with some claims, as JSON. And programs that show a code,
 * and wait until its owner allows them a token.
 */
export async function up({ addColumn, createTable, createUniqueIndex }: Schema): Promise<void> {
  await addColumn('api_tokens', 'last_used_ip', 'VARCHAR(45)');
  await addColumn('api_tokens', 'holder_id', 'BINARY(16)');
  await createTable('trust_rules', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      name: 'VARCHAR(100) NOT NULL',
      issuer: 'VARCHAR(255) NOT NULL',
      audience: 'VARCHAR(255) NOT NULL',
      claims: 'TEXT NOT NULL',
      scope: 'VARCHAR(8) NOT NULL',
      minutes: 'INT NOT NULL',
      created_at: 'BIGINT NOT NULL',
      last_used_at: 'BIGINT',
    },
    constraints: [
      'UNIQUE (account_id, name)',
      'FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE',
    ],
  });
  await createTable('device_codes', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      digest: 'BINARY(32) NOT NULL UNIQUE',
      user_code: 'VARCHAR(8) NOT NULL UNIQUE',
      name: 'VARCHAR(100) NOT NULL',
      scope: 'VARCHAR(8) NOT NULL',
      ip: 'VARCHAR(45) NOT NULL',
      user_agent: 'VARCHAR(255) NOT NULL',
      state: 'VARCHAR(8) NOT NULL',
      account_id: 'BINARY(16)',
      days: 'INT',
      interval_seconds: 'INT NOT NULL',
      polled_at: 'BIGINT',
      created_at: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
    indexes: { device_codes_by_end: 'expires_at', device_codes_by_account: 'account_id' },
  });
  await createUniqueIndex('api_tokens_by_end', 'api_tokens', 'expires_at, id');
}

export async function down({ sequelize, dropIndex, dropTable }: Schema): Promise<void> {
  for (const table of ['device_codes', 'trust_rules']) await dropTable(table);
  await dropIndex('api_tokens_by_end', 'api_tokens');
  for (const column of ['holder_id', 'last_used_ip'])
    await sequelize.query(`ALTER TABLE api_tokens DROP COLUMN ${column}`);
}
