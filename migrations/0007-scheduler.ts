import type { Schema } from '../src/database/schema.ts';

/**
 * Agenda's jobs and its log. `lease` counts how often a job was taken, `locked_by` is the process that has it. The priority
 * is negative because then an ascending index, the only kind that all databases have, serves the order in which jobs run.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('scheduler_jobs', {
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
  await createTable('scheduler_log', {
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
}

export async function down({ dropTable }: Schema): Promise<void> {
  for (const table of ['scheduler_log', 'scheduler_jobs']) await dropTable(table);
}
