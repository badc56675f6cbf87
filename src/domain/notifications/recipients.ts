import type { Transaction } from 'sequelize';
import type { Database } from '../database.ts';

/** An address that notices of an account's pushes go to. */
type Recipient = { accountId: Buffer; messenger: string; address: string };

/** Who hears of an account's pushes. Both functions may be repeated. */
export function createRecipients({ change, dialect }: Database) {
  /** From the commit on, notices are written for the address. */
  async function add(recipient: Recipient, transaction: Transaction): Promise<void> {
    await change(
      `INSERT INTO recipients (account_id, messenger, address) VALUES ($accountId, $messenger, $address)
       ${dialect.onConflict('account_id, messenger, address')} address = ${dialect.wanted('address')}`,
      recipient,
      { transaction },
    );
  }

  /** From the commit on, no more are; those that wait are left to the messenger. */
  async function remove(recipient: Recipient, transaction: Transaction): Promise<void> {
    await change(
      'DELETE FROM recipients WHERE account_id = $accountId AND messenger = $messenger AND address = $address',
      recipient,
      { transaction },
    );
  }

  return { add, remove };
}
