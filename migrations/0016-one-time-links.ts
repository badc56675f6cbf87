import type { Schema } from '../src/database/migrations.ts';

/** Links that do one thing once: compose a push, connect a browser. `context` is sealed; `digest` is the SHA-256 of the token. */
export const up = ({ createTable }: Schema) =>
  createTable('one_time_links', {
    columns: {
      digest: 'BINARY(32) NOT NULL PRIMARY KEY',
      id: 'BINARY(16) NOT NULL UNIQUE',
      purpose: 'VARCHAR(16) NOT NULL',
      context: 'MEDIUMBLOB NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    indexes: { one_time_links_by_end: 'expires_at' },
  });

export const down = ({ dropTable }: Schema) => dropTable('one_time_links');
