import type { Schema } from '../src/database/schema.ts';

/**
 * Lets MySQL check these two foreign keys of every new row. From 9.6 on, it looks at the first index that begins with the
 * column of the key, and skips the check if any other column of that index is null in the row. A unique index comes before
 * all others, and before unique ones with nullable columns, so that it is the one that counts. Other databases check
 * without it, and have none: it would cost each new row a little.
 */
const indexes = {
  pushes: { name: 'pushes_by_owner', on: 'account_id, id' },
  push_recipients: { name: 'push_recipients_by_push', on: 'push_id, id' },
};

export async function up({ createUniqueIndex, isMysqlItself }: Schema): Promise<void> {
  if (!(await isMysqlItself())) return;
  for (const [table, { name, on }] of Object.entries(indexes)) await createUniqueIndex(name, table, on);
}

export async function down({ dropIndex }: Schema): Promise<void> {
  for (const [table, { name }] of Object.entries(indexes)) await dropIndex(name, table);
}
