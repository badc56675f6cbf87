import type { Schema } from '../src/database/migrations.ts';

/**
 * The outbox, which is also the log of deliveries: `due_at` is null once a notice has ended, `sent_at` tells how.
 * While `is_open` is true (null later, so that the constraint lets many pass) a notice takes up further events of its kind.
 */
export const up = ({ createTable }: Schema) =>
  createTable('notices', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      push_id: 'BINARY(16) NOT NULL',
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
      lease: 'BINARY(16)',
      sent_at: 'BIGINT',
      ended_at: 'BIGINT',
      last_problem: 'VARCHAR(255)',
    },
    constraints: ['UNIQUE (push_id, event, messenger, address, is_open)'],
    indexes: {
      notices_due: 'due_at',
      notices_ended: 'ended_at',
      notices_by_address: 'messenger, address, created_at',
    },
  });

export const down = ({ dropTable }: Schema) => dropTable('notices');
