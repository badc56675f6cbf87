import type { Database, Tx } from '../../database/database.ts';
import { snakeCase, type Table } from '../../database/table.ts';

export type MergeAccounts = ReturnType<typeof createMergeAccounts>;

/** Merges accounts in all of these tables, by the columns that refer to accounts and follow a merge. */
export function createMergeAccounts(
  { dialect }: Pick<Database, 'dialect'>,
  tables: readonly Table<Record<string, unknown>>[],
) {
  const followers = tables.flatMap(({ name, columns }) =>
    Object.entries(columns)
      .filter(([, { followsMerge }]) => followsMerge)
      .map(([column]) => [name, snakeCase(column)] as const),
  );

  /**
   * Moves the rows of one account to another, and deletes the first with everything that does not move. Rows that both
   * have, such as a recipient, stay unchanged. The caller has locked both accounts.
   */
  return async function mergeAccounts(from: Buffer, to: Buffer, tx: Tx): Promise<void> {
    for (const [table, column] of followers)
      await tx.execute(`${dialect.updateIgnore} ${table} SET ${column} = $to WHERE ${column} = $from`, {
        from,
        to,
      });
    await tx.execute('DELETE FROM accounts WHERE id = $from', { from });
  };
}
