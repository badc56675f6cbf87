import type { Schema } from '../src/database/schema.ts';

/**
 * Who owns pushes, and what signs them in. `notify` is a set of notice preferences as bits. `signed_up` is true while
 * nobody but the one who signed up has said that the e-mail address is theirs. `holdings_changed_at` is written to
 * serialize changes: nodes of a Galera cluster see that a row was changed elsewhere, but not that it was locked.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('accounts', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      email: 'VARCHAR(254) NOT NULL UNIQUE',
      password_hash: 'VARCHAR(60)',
      subscribed: 'BOOLEAN NOT NULL DEFAULT FALSE',
      is_admin: 'BOOLEAN NOT NULL DEFAULT FALSE',
      signed_up: 'BOOLEAN NOT NULL DEFAULT FALSE',
      disabled_at: 'BIGINT',
      locale: 'VARCHAR(16)',
      notify: 'SMALLINT NOT NULL',
      holdings_changed_at: 'BIGINT',
      created_at: 'BIGINT NOT NULL',
    },
  });
  await createTable('api_tokens', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      name: 'VARCHAR(100) NOT NULL',
      digest: 'BINARY(32) NOT NULL UNIQUE',
      hint: 'VARCHAR(8) NOT NULL',
      scope: 'VARCHAR(8) NOT NULL',
      created_at: 'BIGINT NOT NULL',
      last_used_at: 'BIGINT',
      expires_at: 'BIGINT',
    },
    constraints: [
      'UNIQUE (account_id, name)',
      'FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE',
    ],
  });
  await createTable('sessions', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      digest: 'BINARY(32) NOT NULL UNIQUE',
      ip: 'VARCHAR(45) NOT NULL',
      user_agent: 'VARCHAR(255) NOT NULL',
      created_at: 'BIGINT NOT NULL',
      seen_at: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
    indexes: { sessions_by_account: 'account_id', sessions_by_end: 'expires_at' },
  });
}

export async function down({ dropTable }: Schema): Promise<void> {
  for (const table of ['sessions', 'api_tokens', 'accounts']) await dropTable(table);
}
