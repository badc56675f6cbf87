import type { Schema } from '../src/database/migrations.ts';

export const up = ({ createTable }: Schema) =>
  createTable('accounts', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      email: 'VARCHAR(254) NOT NULL UNIQUE',
      password_hash: 'VARCHAR(60)',
      subscribed: 'BOOLEAN NOT NULL DEFAULT FALSE',
      created_at: 'BIGINT NOT NULL',
    },
  });

export const down = ({ dropTable }: Schema) => dropTable('accounts');
