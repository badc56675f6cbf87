import type { Tx } from '../../database/database.ts';

/** Tables with rows of chat users, who may have no account, and the column with the user's address. */
const tables = [
  ['requests', 'requester'],
  ['link_requests', 'address'],
  ['chat_user_settings', 'address'],
  ['chat_messages', 'address'],
  ['push_recipients', 'address'],
] as const;

/**
 * Erases the requests, settings and messages of an account's chat users, in the transaction that erases the account.
 */
export async function eraseChatUserData(accountId: Buffer, tx: Tx): Promise<void> {
  for (const [table, column] of tables) {
    const isSameUser = `i.platform = ${table}.platform AND i.address = ${table}.${column}`;
    const identity = `SELECT 1 FROM chat_identities i WHERE i.account_id = $accountId AND ${isSameUser}`;
    await tx.execute(`DELETE FROM ${table} WHERE EXISTS (${identity})`, { accountId });
  }
}
