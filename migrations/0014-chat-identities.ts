import type { Schema } from '../src/database/migrations.ts';

/** Who people are in a chat, and the account that what they do there belongs to. `unreachable_since`: their DMs are closed. */
export const up = ({ createTable }: Schema) =>
  createTable('chat_identities', {
    columns: {
      platform: 'VARCHAR(16) NOT NULL',
      address: 'VARCHAR(100) NOT NULL',
      account_id: 'BINARY(16) NOT NULL',
      created_at: 'BIGINT NOT NULL',
      unreachable_since: 'BIGINT',
    },
    constraints: ['PRIMARY KEY (platform, address)'],
    indexes: { chat_identities_by_account: 'account_id' },
  });

export const down = ({ dropTable }: Schema) => dropTable('chat_identities');
