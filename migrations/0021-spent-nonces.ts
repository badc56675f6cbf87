import type { Schema } from '../src/database/migrations.ts';

/** What a page gave out to open a push once, and what has opened one: the SHA-256 of it. */
export const up = ({ createTable }: Schema) =>
  createTable('spent_nonces', {
    columns: {
      id: 'BINARY(32) NOT NULL PRIMARY KEY',
      expires_at: 'BIGINT NOT NULL',
    },
    indexes: { spent_nonces_old: 'expires_at' },
  });

export const down = ({ dropTable }: Schema) => dropTable('spent_nonces');
