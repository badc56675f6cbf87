import type { Schema } from '../src/database/schema.ts';

/**
 * Whom identity providers vouch for, by issuer and subject; the sessions that began so, with what ends them there; and tokens
 * that were used, so that none is used twice.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('provider_identities', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      issuer: 'VARCHAR(255) NOT NULL',
      subject: 'VARCHAR(255) NOT NULL',
      email: 'VARCHAR(254)',
      created_at: 'BIGINT NOT NULL',
      last_used_at: 'BIGINT NOT NULL',
    },
    constraints: [
      'UNIQUE (issuer, subject)',
      'FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE',
    ],
    indexes: { provider_identities_by_account: 'account_id' },
  });
  await createTable('provider_sessions', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      session_id: 'BINARY(16) NOT NULL UNIQUE',
      issuer: 'VARCHAR(255) NOT NULL',
      subject: 'VARCHAR(255) NOT NULL',
      provider_session: 'VARCHAR(255)',
      id_token: 'BLOB',
    },
    constraints: ['FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE'],
    indexes: { provider_sessions_by_subject: 'issuer, subject' },
  });
  await createTable('spent_tokens', {
    columns: { id: 'BINARY(32) NOT NULL PRIMARY KEY', expires_at: 'BIGINT NOT NULL' },
    indexes: { spent_tokens_by_end: 'expires_at' },
  });
}

export async function down({ dropTable }: Schema): Promise<void> {
  for (const table of ['spent_tokens', 'provider_sessions', 'provider_identities']) await dropTable(table);
}
