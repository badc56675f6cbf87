import type { Database, Tx } from '../../database/database.ts';

/** An address that notices of an account's pushes go to. */
type NoticeRecipient = { accountId: Buffer; messenger: string; address: string };

/** The recipients of an account's notices. Each function may be repeated. */
export function createRecipients({ dialect }: Database) {
  /** After the commit, notices are written for the address: of all events, or of those of encoded types. */
  async function add(recipient: NoticeRecipient, tx: Tx, types: string | null = null): Promise<void> {
    await tx.execute(
      `INSERT INTO recipients (account_id, messenger, address, types) VALUES ($accountId, $messenger, $address, $types)
       ${dialect.onConflict('account_id, messenger, address', ['types'])}`,
      { ...recipient, types },
    );
  }

  /** After the commit, no more notices are written for the address, and waiting ones are not delivered. */
  async function remove(recipient: NoticeRecipient, tx: Tx): Promise<void> {
    await tx.execute(
      'DELETE FROM recipients WHERE account_id = $accountId AND messenger = $messenger AND address = $address',
      recipient,
    );
  }

  return { add, remove };
}
