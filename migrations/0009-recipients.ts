import type { Schema } from '../src/database/migrations.ts';

/** Who hears of what happens to an account's pushes: an address that a messenger knows how to reach. */
export const up = ({ createTable }: Schema) =>
  createTable('recipients', {
    columns: {
      account_id: 'BINARY(16) NOT NULL',
      messenger: 'VARCHAR(16) NOT NULL',
      address: 'VARCHAR(100) NOT NULL',
    },
    constraints: ['PRIMARY KEY (account_id, messenger, address)'],
  });

export const down = ({ dropTable }: Schema) => dropTable('recipients');
