import type { Schema } from '../src/database/migrations.ts';

export const up = ({ createTable }: Schema) =>
  createTable('scheduler_log', {
    columns: {
      id: 'CHAR(36) NOT NULL PRIMARY KEY',
      logged_at: 'BIGINT NOT NULL',
      level: 'VARCHAR(10) NOT NULL',
      event: 'VARCHAR(30) NOT NULL',
      job_id: 'VARCHAR(255)',
      job_name: 'VARCHAR(255) NOT NULL',
      entry: 'MEDIUMTEXT NOT NULL',
    },
    indexes: {
      scheduler_log_by_time: 'logged_at',
      scheduler_log_by_job: 'job_id, logged_at',
      scheduler_log_by_name: 'job_name, logged_at',
    },
  });

export const down = ({ dropTable }: Schema) => dropTable('scheduler_log');
