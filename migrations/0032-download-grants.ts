import type { Schema } from '../src/database/migrations.ts';

/**
 * What a viewer may download the files of a push with: `id` is the digest of a secret that he alone has, and `sealed`
 * opens with that secret. `downloaded` has a bit for each file that was begun to be sent.
 */
export const up = ({ createTable }: Schema) =>
  createTable('download_grants', {
    columns: {
      id: 'BINARY(32) NOT NULL PRIMARY KEY',
      push_id: 'BINARY(16) NOT NULL',
      sealed: 'VARBINARY(255) NOT NULL',
      expires_at: 'BIGINT NOT NULL',
      downloaded: 'BIGINT NOT NULL DEFAULT 0',
    },
    indexes: { download_grants_by_push: 'push_id', download_grants_by_end: 'expires_at' },
  });

export const down = ({ dropTable }: Schema) => dropTable('download_grants');
