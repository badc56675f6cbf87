import type { Schema } from '../src/database/schema.ts';

/**
 * How sessions began: by what, with which factors, and when their owner last proved who they are. And what happened to the
 * sign-in of each account; wrong tries are merged. What admins do to accounts of others is in `account_acts` alone.
 */
export async function up({ addColumn, createTable }: Schema): Promise<void> {
  await addColumn('sessions', 'way', 'VARCHAR(12)');
  await addColumn('sessions', 'way_name', 'VARCHAR(100)');
  await addColumn('sessions', 'factors', 'VARCHAR(80)');
  await addColumn('sessions', 'authenticated_at', 'BIGINT');
  await createTable('security_events', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      kind: 'VARCHAR(32) NOT NULL',
      detail: 'VARCHAR(100)',
      ip: 'VARCHAR(45) NOT NULL',
      user_agent: 'VARCHAR(255) NOT NULL',
      times: 'INT NOT NULL',
      created_at: 'BIGINT NOT NULL',
      last_at: 'BIGINT NOT NULL',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
    indexes: { security_events_by_account: 'account_id, last_at', security_events_by_end: 'last_at' },
  });
}

export async function down({ dropTable, sequelize }: Schema): Promise<void> {
  await dropTable('security_events');
  for (const column of ['authenticated_at', 'factors', 'way_name', 'way'])
    await sequelize.query(`ALTER TABLE sessions DROP COLUMN ${column}`);
}
