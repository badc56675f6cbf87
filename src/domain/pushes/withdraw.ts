import type { Database, Tx } from '../../database/database.ts';
import type { Account } from '../accounts/accounts.ts';

/** Undoes the creation of pushes. */
export function createWithdrawal({ transaction }: Database) {
  /**
   * Undoes the creation of a push whose creator did not learn of it: nothing of it stays, and no notice is sent.
   * `inTransaction` undoes, in the same transaction, what else was done with it.
   */
  return async function withdraw(
    { id: accountId }: Account,
    pushId: string,
    inTransaction: (tx: Tx) => Promise<void> = async () => {},
  ): Promise<void> {
    const id = Buffer.from(pushId, 'hex');
    await transaction(async (tx) => {
      const deleted = await tx.execute('DELETE FROM pushes WHERE id = $id AND account_id = $accountId', {
        id,
        accountId,
      });
      if (deleted === 1) await inTransaction(tx);
    });
  };
}
