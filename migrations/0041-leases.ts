import type { Schema } from '../src/database/migrations.ts';

/** What one process at a time may do, and which does. */
export const up = ({ createTable }: Schema) =>
  createTable('leases', {
    columns: {
      name: 'VARCHAR(50) NOT NULL',
      holder: 'CHAR(36) NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    constraints: ['PRIMARY KEY (name)'],
  });

export const down = ({ dropTable }: Schema) => dropTable('leases');
