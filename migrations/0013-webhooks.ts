import type { Schema } from '../src/database/migrations.ts';

/** Addresses that accounts want notices sent to, and the secrets that sign them, both sealed. */
export const up = ({ createTable }: Schema) =>
  createTable('webhooks', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      url: 'BLOB NOT NULL',
      secret: 'VARBINARY(255) NOT NULL',
      created_at: 'BIGINT NOT NULL',
      failing_since: 'BIGINT',
      disabled_at: 'BIGINT',
    },
    indexes: { webhooks_by_account: 'account_id, created_at' },
  });

export const down = ({ dropTable }: Schema) => dropTable('webhooks');
