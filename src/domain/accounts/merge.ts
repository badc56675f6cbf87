import type { Database, Tx } from '../../database/database.ts';
import { snakeCase, type Table } from '../../database/table.ts';
import { tables } from '../tables.ts';

const all: readonly Table<Record<string, unknown>>[] = tables;

/** The columns that refer to accounts and follow a merge, as table and column in SQL. */
const followers = all.flatMap(({ name, columns }) =>
  Object.entries(columns)
    .filter(([, { followsMerge }]) => followsMerge)
    .map(([column]) => [name, snakeCase(column)] as const),
);

/**
 * Moves the rows of one account to another, and deletes the first with everything that does not move. Rows that both
 * have, such as a recipient, stay unchanged. The caller has locked both accounts.
 */
export async function mergeAccounts(from: Buffer, to: Buffer, { dialect }: Database, tx: Tx): Promise<void> {
  const update = dialect.name === 'mysql' ? 'UPDATE IGNORE' : 'UPDATE OR IGNORE';
  for (const [table, column] of followers)
    await tx.execute(`${update} ${table} SET ${column} = $to WHERE ${column} = $from`, { from, to });
  await tx.execute('DELETE FROM accounts WHERE id = $from', { from });
}
