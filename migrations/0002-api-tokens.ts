import type { Schema } from '../src/database/migrations.ts';

export const up = ({ createTable }: Schema) =>
  createTable('api_tokens', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      name: 'VARCHAR(100) NOT NULL',
      digest: 'BINARY(32) NOT NULL UNIQUE',
      hint: 'VARCHAR(8) NOT NULL',
      created_at: 'BIGINT NOT NULL',
      last_used_at: 'BIGINT',
    },
    constraints: [
      'UNIQUE (account_id, name)',
      'FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE',
    ],
  });

export const down = ({ dropTable }: Schema) => dropTable('api_tokens');
