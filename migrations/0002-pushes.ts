import type { Schema } from '../src/database/schema.ts';

/**
 * Times are epoch milliseconds by the database's clock. Ids are time-ordered (UUIDv7), so that new rows go to the end of
 * the clustered index. The creator's address and agent stand here, not in an audit row: creating is one statement.
 * `label` has the url token, the name and the note of an account's push, encrypted.
 * `lifetime_ms` is what a push was given when it was created, and what extending it adds; `expires_at_max` is the latest end
 * that the rules of its workspace allow, where there are such.
 * `views_reserved` is how many of the unused views only recipients can use: `views_used + views_reserved <= views_max`.
 * `due_at` is when a job has something to do with a live push: remind its owner, or erase it. `purge_at` is when the row
 * of an expired one goes. Each is null when there is nothing to do, so that its index holds no more than what is due.
 * `pushes_by_account` and `pushes_by_end` have all that decides which pushes are on a page of a list: in the order of their
 * creation, and of their end. The second is narrower, so that MariaDB counts by it.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('pushes', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      token_digest: 'BINARY(32) NOT NULL UNIQUE',
      account_id: 'BINARY(16)',
      kind: 'VARCHAR(8) NOT NULL',
      encrypted: 'BOOLEAN NOT NULL DEFAULT FALSE',
      payload: 'MEDIUMBLOB',
      passphrase_hash: 'VARCHAR(60)',
      label: 'BLOB',
      notify: 'SMALLINT NOT NULL DEFAULT 0',
      deletable_by_viewer: 'BOOLEAN NOT NULL',
      retrieval_step: 'BOOLEAN NOT NULL',
      views_max: 'INT NOT NULL',
      views_used: 'INT NOT NULL DEFAULT 0',
      views_reserved: 'INT NOT NULL DEFAULT 0',
      file_count: 'SMALLINT NOT NULL DEFAULT 0',
      files_key: 'VARBINARY(255)',
      created_at: 'BIGINT NOT NULL',
      updated_at: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
      lifetime_ms: 'BIGINT NOT NULL',
      expires_at_max: 'BIGINT',
      expired_on: 'BIGINT',
      due_at: 'BIGINT',
      purge_at: 'BIGINT',
      damaged_at: 'BIGINT',
      deleted: 'BOOLEAN NOT NULL DEFAULT FALSE',
      creator_ip: 'VARCHAR(45) NOT NULL',
      creator_user_agent: 'VARCHAR(255) NOT NULL',
      creator_referrer: 'VARCHAR(255) NOT NULL',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
    indexes: {
      pushes_by_account: 'account_id, created_at, id, expired_on, expires_at, kind',
      pushes_by_end: 'account_id, expired_on, expires_at, id, kind',
      pushes_by_due_at: 'due_at',
      pushes_by_purge_at: 'purge_at',
    },
  });
  // clustered by push, so that a push's log is read and counted in one place; a row that stands for several events has
  // their number, and the time of the last one; a view has its number among those of the push, and its recipient, if any
  await createTable('audit_rows', {
    columns: {
      push_id: 'BINARY(16) NOT NULL',
      id: 'BINARY(16) NOT NULL',
      kind: 'VARCHAR(20) NOT NULL',
      ip: 'VARCHAR(45) NOT NULL',
      user_agent: 'VARCHAR(255) NOT NULL',
      referrer: 'VARCHAR(255) NOT NULL',
      opened_by: 'VARCHAR(10)',
      created_at: 'BIGINT NOT NULL',
      times: 'BIGINT NOT NULL DEFAULT 1',
      updated_at: 'BIGINT',
      view_number: 'INT',
      recipient_id: 'BINARY(16)',
    },
    constraints: [
      'PRIMARY KEY (push_id, id)',
      'FOREIGN KEY (push_id) REFERENCES pushes (id) ON DELETE CASCADE',
    ],
  });
  await createRecipientTables(createTable);
  // The SHA-256 of each nonce that a page gave out and that has opened a push. For a minute, `view` is a copy of what it
  // showed, sealed under a secret that only that browser has.
  await createTable('spent_nonces', {
    columns: {
      id: 'BINARY(32) NOT NULL PRIMARY KEY',
      expires_at: 'BIGINT NOT NULL',
      view: 'LONGBLOB',
      view_expires_at: 'BIGINT',
    },
    indexes: { spent_nonces_by_end: 'expires_at', spent_nonces_by_view_end: 'view_expires_at' },
  });
  // The HMAC of each idempotency key that came with a creation. `record` is the push that it created and a digest of the
  // request, sealed under that key, which only the client has; null while the request is in progress.
  await createTable('idempotency_keys', {
    columns: {
      id: 'BINARY(32) NOT NULL PRIMARY KEY',
      record: 'BLOB',
      expires_at: 'BIGINT NOT NULL',
    },
    indexes: { idempotency_keys_by_end: 'expires_at' },
  });
}

async function createRecipientTables(createTable: Schema['createTable']): Promise<void> {
  // Whom a push was made for or sent to: somebody in a chat, with their name there if the chat told it, or whoever the
  // sealed label names. Each has a link of their own; that of a bound
  // recipient is made when they ask for it, and ends soon. The sender reminded them last at `nudged_at`; `remind_at` is when
  // they want to be reminded.
  await createTable('push_recipients', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      push_id: 'BINARY(16) NOT NULL',
      platform: 'VARCHAR(16)',
      address: 'VARCHAR(100)',
      name: 'VARCHAR(100)',
      label: 'VARBINARY(600)',
      token_digest: 'BINARY(32) UNIQUE',
      token_sealed: 'VARBINARY(255)',
      token_expires_at: 'BIGINT',
      is_bound: 'BOOLEAN NOT NULL DEFAULT FALSE',
      views_max: 'INT NOT NULL DEFAULT 0',
      views_used: 'INT NOT NULL DEFAULT 0',
      opened_at: 'BIGINT',
      last_opened_at: 'BIGINT',
      nudged_at: 'BIGINT',
      remind_at: 'BIGINT',
      created_at: 'BIGINT NOT NULL',
    },
    constraints: [
      'UNIQUE (push_id, platform, address)',
      'FOREIGN KEY (push_id) REFERENCES pushes (id) ON DELETE CASCADE',
    ],
    indexes: {
      push_recipients_by_address: 'platform, address',
      push_recipients_by_reminder: 'remind_at',
    },
  });
  // Where a push was shared: each member of such a channel becomes a recipient when they open it.
  await createTable('push_channels', {
    columns: {
      push_id: 'BINARY(16) NOT NULL',
      platform: 'VARCHAR(16) NOT NULL',
      address: 'VARCHAR(100) NOT NULL',
      created_at: 'BIGINT NOT NULL',
    },
    constraints: [
      'PRIMARY KEY (push_id, platform, address)',
      'FOREIGN KEY (push_id) REFERENCES pushes (id) ON DELETE CASCADE',
    ],
  });
}

export async function down({ dropTable }: Schema): Promise<void> {
  const dependents = ['idempotency_keys', 'spent_nonces', 'push_channels', 'push_recipients', 'audit_rows'];
  for (const table of [...dependents, 'pushes']) await dropTable(table);
}
