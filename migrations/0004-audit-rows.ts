import type { Schema } from '../src/database/migrations.ts';

/** Clustered by push, so that a push's log is read and counted in one place. */
export const up = ({ createTable }: Schema) =>
  createTable('audit_rows', {
    columns: {
      push_id: 'BINARY(16) NOT NULL',
      id: 'BINARY(16) NOT NULL',
      kind: 'VARCHAR(20) NOT NULL',
      ip: 'VARCHAR(45) NOT NULL',
      user_agent: 'VARCHAR(255) NOT NULL',
      referrer: 'VARCHAR(255) NOT NULL',
      created_at: 'BIGINT NOT NULL',
    },
    constraints: ['PRIMARY KEY (push_id, id)'],
  });

export const down = ({ dropTable }: Schema) => dropTable('audit_rows');
