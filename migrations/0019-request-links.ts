import type { Schema } from '../src/database/schema.ts';

/**
 * Links by which anybody answers an account with a secret. `label` has the title, the note and the token of a link, encrypted.
 * `purge_at` is when its last answer is gone. An answer is a push of that account; `label` has its receipt and the name that
 * came with it, and `sent_digest` tells a form that is sent twice from two answers.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('request_links', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      token_digest: 'BINARY(32) NOT NULL UNIQUE',
      account_id: 'BINARY(16) NOT NULL',
      label: 'BLOB NOT NULL',
      passphrase_hash: 'VARCHAR(60)',
      accepts: 'VARCHAR(8) NOT NULL',
      bytes_max: 'BIGINT',
      allows_name: 'BOOLEAN NOT NULL',
      answers_max: 'INT NOT NULL',
      answers_used: 'INT NOT NULL DEFAULT 0',
      answer_lifetime_ms: 'BIGINT NOT NULL',
      created_at: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
      closed_at: 'BIGINT',
      purge_at: 'BIGINT NOT NULL',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
    indexes: {
      request_links_by_account: 'account_id, created_at, id',
      request_links_by_purge_at: 'purge_at',
    },
  });
  await createTable('request_answers', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      link_id: 'BINARY(16) NOT NULL',
      push_id: 'BINARY(16) NOT NULL UNIQUE',
      sent_digest: 'BINARY(32) NOT NULL UNIQUE',
      label: 'VARBINARY(600) NOT NULL',
      created_at: 'BIGINT NOT NULL',
    },
    constraints: [
      'FOREIGN KEY (link_id) REFERENCES request_links (id) ON DELETE CASCADE',
      'FOREIGN KEY (push_id) REFERENCES pushes (id) ON DELETE CASCADE',
    ],
    indexes: { request_answers_by_link: 'link_id, created_at, id' },
  });
}

export async function down({ dropTable }: Schema): Promise<void> {
  for (const table of ['request_answers', 'request_links']) await dropTable(table);
}
