import type { Tx } from '../../database/database.ts';
import type { ChatUser, Platform } from './chatUser.ts';

/** Tables with rows of chat users, who may have no account, and the column with the user's address. */
const tables = [
  ['requests', 'requester'],
  ['link_requests', 'address'],
  ['chat_user_settings', 'address'],
  ['chat_messages', 'address'],
  ['push_recipients', 'address'],
  ['workspace_pushes', 'address'],
] as const;

/** The users of one chat whose address, in a column, meets an SQL condition. */
export type ChatUsers = { matches: (column: string) => string; binds: Record<string, string> };

const onlyThis = ({ platform, address }: ChatUser): ChatUsers => ({
  matches: (column) => `${column} = $address`,
  binds: { platform, address },
});

/**
 * All users of a workspace. Their addresses begin with it and a colon; a semicolon is the next character, so it bounds
 * the range.
 */
export const everybodyIn = (platform: Platform, workspace: string): ChatUsers => ({
  matches: (column) => `${column} >= $first AND ${column} < $end`,
  binds: { platform, first: `${workspace}:`, end: `${workspace};` },
});

/** Erases the data of an account's chat users, in the transaction that erases the account, and has locked it. */
export async function eraseChatUserData(accountId: Buffer, tx: Tx): Promise<void> {
  const users = await tx.select<ChatUser>(
    'SELECT platform, address FROM chat_identities WHERE account_id = $accountId',
    { accountId },
  );
  for (const user of users) await eraseDataOf(onlyThis(user), tx);
}

/** Erases the requests, settings and messages of chat users. */
export async function eraseDataOf(users: ChatUsers, tx: Tx): Promise<void> {
  await releaseViews(users, tx);
  for (const [table, column] of tables)
    await tx.execute(
      `DELETE FROM ${table} WHERE platform = $platform AND ${users.matches(column)}`,
      users.binds,
    );
}

/** Gives the views that were reserved for chat users back to the senders. */
async function releaseViews({ matches, binds }: ChatUsers, tx: Tx): Promise<void> {
  const ofUsers = `push_recipients r WHERE r.platform = $platform AND ${matches('r.address')}`;
  await tx.execute(
    `UPDATE pushes SET views_reserved = views_reserved - (
       SELECT COALESCE(SUM(r.views_max - r.views_used), 0) FROM ${ofUsers} AND r.push_id = pushes.id)
     WHERE id IN (SELECT r.push_id FROM ${ofUsers})`,
    binds,
  );
}
