import type { Schema } from '../src/database/migrations.ts';

/**
 * A file whose bytes are in the store, sealed, under the name `object`. Written before the first of them is, without a
 * label and a size, so that none are ever there that no row knows; a row with them belongs to a push. `shred_at` is when
 * both the bytes and the row go. No reference to the push, whose row may go first.
 */
export const up = ({ createTable }: Schema) =>
  createTable('files', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      push_id: 'BINARY(16) NOT NULL',
      object: 'VARCHAR(40) NOT NULL UNIQUE',
      label: 'VARBINARY(1500)',
      size: 'BIGINT',
      shred_at: 'BIGINT NOT NULL',
    },
    indexes: { files_by_push: 'push_id, id', files_shred_at: 'shred_at' },
  });

export const down = ({ dropTable }: Schema) => dropTable('files');
