import type { Schema } from '../src/database/migrations.ts';

/** What was heard from a chat already: platforms tell a thing again when they got no answer in time. */
export const up = ({ createTable }: Schema) =>
  createTable('heard', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      expires_at: 'BIGINT NOT NULL',
    },
    indexes: { heard_by_end: 'expires_at' },
  });

export const down = ({ dropTable }: Schema) => dropTable('heard');
