import type { Database, Tx } from '../../database/database.ts';
import type { Account } from '../people/index.ts';

/** Undoes the creation of pushes. */
export function createWithdrawal({ transaction }: Database) {
  /**
   * Removes a push whose creator never received the response. Nothing remains, and no notice is sent. `inTransaction`
   * undoes related work in the same transaction.
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
