import type { Schema } from '../src/database/schema.ts';

/**
 * What admins and operators did to accounts of others. `actor_id` and `actor` are null for an operator at the command line.
 * Rows outlive their account: `account` is its address until it is erased, and its id after that. A notice about an act has
 * its `act_id`.
 */
export async function up({ createTable, addColumn }: Schema): Promise<void> {
  await createTable('account_acts', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      account: 'VARCHAR(254) NOT NULL',
      kind: 'VARCHAR(20) NOT NULL',
      detail: 'VARCHAR(100)',
      actor_id: 'BINARY(16)',
      actor: 'VARCHAR(254)',
      created_at: 'BIGINT NOT NULL',
    },
    indexes: {
      account_acts_by_account: 'account_id, created_at',
      account_acts_by_created: 'created_at',
    },
  });
  await addColumn('notices', 'act_id', 'BINARY(16)');
}

export async function down({ dropTable, sequelize }: Schema): Promise<void> {
  await sequelize.query("DELETE FROM notices WHERE event = 'account_act'");
  await sequelize.query('ALTER TABLE notices DROP COLUMN act_id');
  await dropTable('account_acts');
}
