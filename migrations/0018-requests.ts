import type { Schema } from '../src/database/migrations.ts';

/** Somebody asks somebody for a secret. `state` is open, provided, declined or cancelled; the reason is sealed. */
export const up = ({ createTable }: Schema) =>
  createTable('requests', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      platform: 'VARCHAR(16) NOT NULL',
      requester: 'VARCHAR(100) NOT NULL',
      provider: 'VARCHAR(100) NOT NULL',
      reason: 'BLOB',
      state: 'VARCHAR(10) NOT NULL',
      created_at: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    indexes: {
      requests_by_requester: 'platform, requester, state, created_at',
      requests_by_provider: 'platform, provider, state, created_at',
      requests_by_end: 'expires_at',
    },
  });

export const down = ({ dropTable }: Schema) => dropTable('requests');
