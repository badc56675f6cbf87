import type { Schema } from '../src/database/migrations.ts';

/** The one message that an address has about a push or a request (`about`), to be edited and answered instead of sending more. */
export const up = ({ createTable }: Schema) =>
  createTable('chat_messages', {
    columns: {
      about: 'BINARY(16) NOT NULL',
      platform: 'VARCHAR(16) NOT NULL',
      address: 'VARCHAR(100) NOT NULL',
      channel: 'VARCHAR(50) NOT NULL',
      message: 'VARCHAR(50) NOT NULL',
      created_at: 'BIGINT NOT NULL',
    },
    constraints: ['PRIMARY KEY (about, platform, address)'],
    indexes: { chat_messages_by_age: 'created_at' },
  });

export const down = ({ dropTable }: Schema) => dropTable('chat_messages');
