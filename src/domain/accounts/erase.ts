import type { Database, Tx } from '../../database/database.ts';
import { snakeCase, type Table } from '../../database/table.ts';
import { type Account, eraseChatUserData } from '../people/index.ts';
import { accountsTable } from './tables.ts';

/**
 * Returns a function that erases an account with everything that refers to it, and the data of its chat users. Its files
 * are shredded soon after. `before` runs first, in the same transaction.
 */
export function createAccountErasure({ transaction, dialect }: Database) {
  return async ({ id }: Pick<Account, 'id'>, before?: (tx: Tx) => Promise<void>): Promise<void> => {
    await transaction(async (tx) => {
      // Concurrent writes to the account wait from here on, and then find no account.
      await tx.select(`SELECT id FROM accounts WHERE id = $id ${dialect.forUpdate}`, { id });
      await tx.select(`SELECT COUNT(*) AS held FROM pushes WHERE account_id = $id ${dialect.forUpdate}`, {
        id,
      });
      await before?.(tx);
      await eraseChatUserData(id, tx);
      await tx.model(accountsTable).destroy({ id });
    });
  };
}

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
