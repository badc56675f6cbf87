import type { Schema } from '../src/database/migrations.ts';

/**
 * `lease` counts how often a job was taken, `locked_by` is the process that has it. The priority is negative because
 * then an ascending index, the only kind that all databases have, serves the order in which jobs are taken.
 */
export const up = ({ createTable }: Schema) =>
  createTable('scheduler_jobs', {
    columns: {
      id: 'CHAR(36) NOT NULL PRIMARY KEY',
      name: 'VARCHAR(255) NOT NULL',
      unique_key: 'BINARY(32) UNIQUE',
      negative_priority: 'INT NOT NULL',
      disabled: 'BOOLEAN NOT NULL',
      next_run_at: 'BIGINT',
      locked_at: 'BIGINT',
      locked_by: 'CHAR(36)',
      lease: 'BIGINT NOT NULL DEFAULT 0',
      debounce_started_at: 'BIGINT',
      last_modified_by: 'VARCHAR(255)',
      plan: 'MEDIUMTEXT NOT NULL',
      run: 'MEDIUMTEXT',
    },
    indexes: {
      scheduler_jobs_free: 'name, disabled, locked_at, next_run_at, negative_priority',
      scheduler_jobs_due: 'next_run_at',
    },
  });

export const down = ({ dropTable }: Schema) => dropTable('scheduler_jobs');
