import type { Schema } from '../src/database/schema.ts';

/**
 * Recipients: the addresses that an account's notices go to, each reached by a messenger. `types` are the public types of
 * the events that it gets, between commas (`,push.viewed,push.expired,`); all if null.
 * Notices: the outbox, which is also the log of deliveries. A notice is about a push, a request, or a link request. `due_at` is null once
 * it has ended, `sent_at` tells how. While `is_open` is true (null later, so that the constraints let many pass) it takes up
 * further events of its kind. `is_requested` is true while its owner has asked for it to be sent now. The foreign keys have indexes of their own: InnoDB locks the parent when any column of a foreign
 * key's index changes, and taking notices, which changes `is_open`, would wait for the claim of a view.
 * Webhooks: addresses that accounts want notices sent to, and the secrets that sign them, both sealed. A secret that was
 * replaced signs beside the new one for a while.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('recipients', {
    columns: {
      account_id: 'BINARY(16) NOT NULL',
      messenger: 'VARCHAR(16) NOT NULL',
      address: 'VARCHAR(100) NOT NULL',
      types: 'VARCHAR(255)',
    },
    constraints: [
      'PRIMARY KEY (account_id, messenger, address)',
      'FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE',
    ],
  });
  await createTable('notices', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      push_id: 'BINARY(16)',
      request_id: 'BINARY(16)',
      link_request_id: 'BINARY(16)',
      event: 'VARCHAR(20) NOT NULL',
      messenger: 'VARCHAR(16) NOT NULL',
      address: 'VARCHAR(100) NOT NULL',
      is_open: 'BOOLEAN',
      times: 'INT NOT NULL',
      views_used: 'INT NOT NULL',
      happened_at: 'BIGINT NOT NULL',
      created_at: 'BIGINT NOT NULL',
      due_at: 'BIGINT',
      attempts: 'INT NOT NULL DEFAULT 0',
      is_requested: 'BOOLEAN NOT NULL DEFAULT FALSE',
      lease: 'BINARY(16)',
      sent_at: 'BIGINT',
      ended_at: 'BIGINT',
      last_problem: 'VARCHAR(255)',
    },
    constraints: [
      'UNIQUE (event, push_id, messenger, address, is_open)',
      'UNIQUE (event, request_id, messenger, address, is_open)',
      'UNIQUE (event, link_request_id, messenger, address, is_open)',
      'FOREIGN KEY (push_id) REFERENCES pushes (id) ON DELETE CASCADE',
      'FOREIGN KEY (request_id) REFERENCES requests (id) ON DELETE CASCADE',
      'FOREIGN KEY (link_request_id) REFERENCES link_requests (id) ON DELETE CASCADE',
    ],
    indexes: {
      notices_by_push: 'push_id',
      notices_by_request: 'request_id',
      notices_by_link_request: 'link_request_id',
      notices_by_due_at: 'due_at',
      notices_by_end: 'ended_at',
      notices_by_address: 'messenger, address, created_at',
    },
  });
  await createTable('webhooks', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      url: 'BLOB NOT NULL',
      secret: 'VARBINARY(255) NOT NULL',
      previous_secret: 'VARBINARY(255)',
      previous_secret_until: 'BIGINT',
      types: 'VARCHAR(255)',
      created_at: 'BIGINT NOT NULL',
      failing_since: 'BIGINT',
      disabled_at: 'BIGINT',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
    indexes: { webhooks_by_account: 'account_id, created_at' },
  });
}

export async function down({ dropTable }: Schema): Promise<void> {
  for (const table of ['webhooks', 'notices', 'recipients']) await dropTable(table);
}
