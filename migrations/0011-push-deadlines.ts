import type { Schema } from '../src/database/migrations.ts';

/**
 * `due_at` is when a job has something to do with a live push: to remind its owner, or to erase it. `purge_at` is when the
 * row of an expired one goes. Each is null when there is nothing to do, so that its index holds what is due and no more.
 */
export async function up({ addColumns, addIndex, dropIndex, sequelize }: Schema): Promise<void> {
  await addColumns('pushes', {
    notify: 'SMALLINT NOT NULL DEFAULT 0',
    due_at: 'BIGINT',
    purge_at: 'BIGINT',
  });
  await sequelize.query('UPDATE pushes SET due_at = expires_at WHERE expired_on IS NULL AND due_at IS NULL');
  await sequelize.query(
    `UPDATE pushes SET purge_at = expired_on + CASE WHEN account_id IS NULL THEN 86400000 ELSE 7776000000 END
     WHERE expired_on IS NOT NULL AND purge_at IS NULL`,
  );
  await addIndex('pushes', 'pushes_due_at', 'due_at');
  await addIndex('pushes', 'pushes_purge_at', 'purge_at');
  await dropIndex('pushes', 'pushes_due');
}

export async function down({ dropColumns, addIndex, dropIndex }: Schema): Promise<void> {
  await addIndex('pushes', 'pushes_due', 'expired_on, expires_at');
  await dropIndex('pushes', 'pushes_due_at');
  await dropIndex('pushes', 'pushes_purge_at');
  await dropColumns('pushes', ['notify', 'due_at', 'purge_at']);
}
