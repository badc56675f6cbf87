import type { Schema } from '../src/database/schema.ts';

/**
 * Rate limits: counters, whose `tally` holds points and the tag of their window in one number. Key checks: one value for
 * each master key, and key id 0 for the pepper, whose `registered_at` is written to serialize the registrations of
 * processes; the master key that was activated last encrypts, and `removed_at` marks one that nothing needs any more.
 * Processes: those that serve, with the ids of the master keys that each has.
 * Leases: what one process at a time may do, and which process does.
 * Restored backups: when a backup was taken, in the backup itself, until what may be gone since has been ended.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('rate_limits', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      tally: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
    indexes: { rate_limits_by_end: 'expires_at' },
  });
  await createTable('key_checks', {
    columns: {
      key_id: 'BIGINT NOT NULL PRIMARY KEY',
      check_value: 'BINARY(32) NOT NULL',
      activated_at: 'BIGINT',
      registered_at: 'BIGINT',
      removed_at: 'BIGINT',
    },
  });
  await createTable('processes', {
    columns: {
      id: 'CHAR(36) NOT NULL PRIMARY KEY',
      name: 'VARCHAR(100) NOT NULL',
      key_ids: 'VARCHAR(1000) NOT NULL',
      active_key_id: 'BIGINT NOT NULL',
      registered_at: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
  });
  await createTable('leases', {
    columns: {
      name: 'VARCHAR(50) NOT NULL PRIMARY KEY',
      holder: 'CHAR(36) NOT NULL',
      expires_at: 'BIGINT NOT NULL',
    },
  });
  await createTable('restored_backups', { columns: { taken_at: 'BIGINT NOT NULL PRIMARY KEY' } });
}

export async function down({ dropTable }: Schema): Promise<void> {
  for (const table of ['restored_backups', 'leases', 'processes', 'key_checks', 'rate_limits'])
    await dropTable(table);
}
