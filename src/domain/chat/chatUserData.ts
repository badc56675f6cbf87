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
  await releaseViews(accountId, tx);
  for (const [table, column] of tables) {
    const isSameUser = `i.platform = ${table}.platform AND i.address = ${table}.${column}`;
    const identity = `SELECT 1 FROM chat_identities i WHERE i.account_id = $accountId AND ${isSameUser}`;
    await tx.execute(`DELETE FROM ${table} WHERE EXISTS (${identity})`, { accountId });
  }
}

/** Gives the views that were reserved for an account's chat users back to the senders. */
async function releaseViews(accountId: Buffer, tx: Tx): Promise<void> {
  const ofUser = `push_recipients r JOIN chat_identities i ON i.platform = r.platform AND i.address = r.address
    WHERE i.account_id = $accountId`;
  await tx.execute(
    `UPDATE pushes SET views_reserved = views_reserved - (
       SELECT COALESCE(SUM(r.views_max - r.views_used), 0) FROM ${ofUser} AND r.push_id = pushes.id)
     WHERE id IN (SELECT r.push_id FROM ${ofUser})`,
    { accountId },
  );
}
