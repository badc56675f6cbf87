import type { Schema } from '../src/database/migrations.ts';

/** Browsers that are signed in: the SHA-256 of what each of them holds, and until when it is good. */
export const up = ({ createTable }: Schema) =>
  createTable('sessions', {
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
    indexes: { sessions_by_account: 'account_id', sessions_old: 'expires_at' },
  });

export const down = ({ dropTable }: Schema) => dropTable('sessions');
