import type { Transaction } from 'sequelize';
import type { Database } from '../../database/database.ts';

/** An address that notices of an account's pushes go to. */
type Recipient = { accountId: Buffer; messenger: string; address: string };

/** Who hears of an account's pushes. Each function may be repeated. */
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

  /** From the commit on, no more are, and none is brought that waits. */
  async function remove(recipient: Recipient, transaction: Transaction): Promise<void> {
    await change(
      'DELETE FROM recipients WHERE account_id = $accountId AND messenger = $messenger AND address = $address',
      recipient,
      { transaction },
    );
  }

  /** From the commit on, who heard of one account's pushes hears of another's. */
  async function move(from: Buffer, to: Buffer, transaction: Transaction): Promise<void> {
    await change(
      `INSERT INTO recipients (account_id, messenger, address)
       SELECT $to, r.messenger, r.address FROM recipients r WHERE r.account_id = $from
       ${dialect.onConflict('account_id, messenger, address')} address = ${dialect.wanted('address')}`,
      { from, to },
      { transaction },
    );
    await change('DELETE FROM recipients WHERE account_id = $from', { from }, { transaction });
  }

  return { add, remove, move };
}
