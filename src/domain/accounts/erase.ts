import type { Database, Tx } from '../../database/database.ts';
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
