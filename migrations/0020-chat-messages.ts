import type { Schema } from '../src/domain/migrations.ts';

/** The one message about a push that an address has, to be edited and answered instead of sending more. */
export const up = ({ createTable }: Schema) =>
  createTable('chat_messages', {
    columns: {
      push_id: 'BINARY(16) NOT NULL',
      platform: 'VARCHAR(16) NOT NULL',
      address: 'VARCHAR(100) NOT NULL',
      channel: 'VARCHAR(50) NOT NULL',
      message: 'VARCHAR(50) NOT NULL',
    },
    constraints: ['PRIMARY KEY (push_id, platform, address)'],
  });

export const down = ({ dropTable }: Schema) => dropTable('chat_messages');
