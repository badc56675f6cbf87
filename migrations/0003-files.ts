import type { Schema } from '../src/database/schema.ts';

/**
 * A file whose bytes are in the store, sealed, under the name `object`. Its row is written before its first byte, without
 * push, label and size, so that the store never holds bytes that no row knows. `shred_at` is when bytes and row go; a file
 * that has lost its push (label, but no push) goes at once.
 * A grant lets a viewer download the files of a push: `id` is the digest of a secret that only the viewer has, and `sealed`
 * opens with it. A download is recorded when it begins: one row for each file, by its `number` among those of the push.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('files', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      push_id: 'BINARY(16)',
      object: 'VARCHAR(40) NOT NULL UNIQUE',
      label: 'VARBINARY(1500)',
      size: 'BIGINT',
      shred_at: 'BIGINT NOT NULL',
    },
    constraints: ['FOREIGN KEY (push_id) REFERENCES pushes (id) ON DELETE SET NULL'],
    indexes: { files_by_push: 'push_id, id', files_by_shred_at: 'shred_at' },
  });
  await createTable('download_grants', {
    columns: {
      id: 'BINARY(32) NOT NULL PRIMARY KEY',
      push_id: 'BINARY(16) NOT NULL',
      sealed: 'VARBINARY(255) NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    constraints: ['FOREIGN KEY (push_id) REFERENCES pushes (id) ON DELETE CASCADE'],
    indexes: { download_grants_by_push: 'push_id', download_grants_by_end: 'expires_at' },
  });
  await createTable('downloads', {
    columns: { grant_id: 'BINARY(32) NOT NULL', number: 'INT NOT NULL' },
    constraints: [
      'PRIMARY KEY (grant_id, number)',
      'FOREIGN KEY (grant_id) REFERENCES download_grants (id) ON DELETE CASCADE',
    ],
  });
}

export async function down({ dropTable }: Schema): Promise<void> {
  for (const table of ['downloads', 'download_grants', 'files']) await dropTable(table);
}
