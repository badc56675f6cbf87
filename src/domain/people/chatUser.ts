import type { Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { isChatAddress, type Platform, platformNames, platforms } from '../../platforms.ts';

/** Where a messenger delivers a notice. */
export type NoticeAddress = { messenger: string; address: string };

/** A person in a chat, whose addresses have the form that `platforms` says. */
export type ChatUser = { platform: Platform; address: string };

/** Cuts a name to the length that the database allows. */
export function shortName(name: string): string {
  return [...name].slice(0, nameMax).join('');
}

const nameMax = 100;

/** The workspace in an address. Empty where a person has one address everywhere. */
export function addressWorkspace({ platform, address }: ChatUser): string {
  return platforms[platform].addressForm.includes(':') ? address.split(':', 1).join() : '';
}

/** The platform's id of the user in an address. */
export const addressUser = (address: string): string => address.slice(address.indexOf(':') + 1);

export function toRecipient({ platform, address }: ChatUser): NoticeAddress {
  return { messenger: platform, address };
}

/**
 * A user's role in a workspace. A guest sees only some of its channels. A stranger is of another organisation, such as in
 * a channel that two of them share, or of none.
 */
export type Standing = 'admin' | 'member' | 'guest' | 'stranger';

/** A workspace of Slack, an organisation there, or a server of Discord. */
export type Workspace = { platform: Platform; workspace: string };

/** The user of a command in a chat, and where they are. */
export type ChatCaller = {
  chatUser: ChatUser;
  /** The workspace or server whose rules apply, or that there is none. Never empty. */
  workspace: string | typeof outside;
  /** The language tag that the chat gives for the user, if it does. */
  locale?: string | undefined;
  /** Their time zone (IANA), if the chat tells it. */
  timeZone?: string | undefined;
  /** What the user is in the workspace, where the chat says so by itself. */
  standing?: Standing | undefined;
  /** Stays the same when the platform delivers an event again. Null for what may be done twice. */
  idempotencyKey: string | null;
};

/** Instead of a workspace: people act where there is none, such as in a direct message, and the rules of none apply. */
export const outside = { none: 'outside of workspaces' } as const;

export const orOutside = (workspace: string): ChatCaller['workspace'] => workspace || outside;

/**
 * The workspace whose rules bind a caller; empty where they are outside. Throws if their chat left it empty instead of
 * saying so: such a caller would be bound by no rules.
 */
export function bindingWorkspace({ workspace }: Pick<ChatCaller, 'workspace'>): string {
  if (workspace === '') throw new Error('the chat did not say in which workspace a caller is');
  return typeof workspace === 'string' ? workspace : '';
}

/** Throws `invalid` if one of them is not the address of a person in their chat, such as a text that a client made up. */
export function requireAddresses(users: ChatUser[], field: string): void {
  if (!users.every(({ platform, address }) => isChatAddress(platform, address)))
    throw new DomainError('invalid', { problems: { [field]: [{ code: 'chatAddress' }] } });
}

/** The name of the account that is created for a chat user. Never looks like an e-mail address. */
export function accountNameOf({ platform, address }: ChatUser): string {
  return `${platform}:${address}`;
}

/** Each person once. */
export const distinctUsers = <User extends ChatUser>(users: User[]): User[] => [
  ...new Map(users.map((user) => [accountNameOf(user), user])).values(),
];

/** The chat user that an account was created for, by the account's name. Undefined for an e-mail address. */
export function maybeChatUserOf(accountName: string): ChatUser | undefined {
  const platform = platformNames.find((each) => accountName.startsWith(`${each}:`));
  if (platform === undefined || accountName.includes('@')) return undefined;
  return { platform, address: accountName.slice(platform.length + 1) };
}

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
