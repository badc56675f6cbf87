import type { Schema } from '../src/database/migrations.ts';

export const up = ({ createTable }: Schema) =>
  createTable('rate_limits', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      points: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    indexes: { rate_limits_by_end: 'expires_at' },
  });

export const down = ({ dropTable }: Schema) => dropTable('rate_limits');
