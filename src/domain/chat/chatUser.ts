import type { NoticeAddress } from '../notices/outbox.ts';

/** The chats that people may come from. */
const platforms = ['slack', 'discord'] as const;
export type Platform = (typeof platforms)[number];

/** Somebody in a chat: the platform, and the address under which its messenger reaches them (`TEAM:USER`, `USER`). */
export type ChatUser = { platform: Platform; address: string };

/** A name as the database keeps it, where people have one of no end. */
export function shortName(name: string): string {
  return [...name].slice(0, nameMax).join('');
}

const nameMax = 100;

/** The workspace that is part of an address; empty on platforms whose people have one address everywhere. */
export function addressWorkspace({ platform, address }: ChatUser): string {
  return platform === 'slack' ? address.split(':', 1).join() : '';
}

/** A speaker as somebody to tell. */
export function toRecipient({ platform, address }: ChatUser): NoticeAddress {
  return { messenger: platform, address };
}

/** Who asks for something in a chat, and where. */
export type ChatCaller = {
  chatUser: ChatUser;
  /** The workspace or server whose rules hold here. */
  workspace: string;
  /** Names this very act: the same when the platform tells of it again. Absent from what changes nothing. */
  idempotencyKey?: string;
};

/** The name of the account that is made for a speaker on first use; no e-mail address looks like it. */
export function accountNameOf({ platform, address }: ChatUser): string {
  return `${platform}:${address}`;
}

/** Whom an account was made for, by its name; undefined where that is an e-mail address. */
export function maybeChatUserOf(accountName: string): ChatUser | undefined {
  const platform = platforms.find((each) => accountName.startsWith(`${each}:`));
  if (platform === undefined || accountName.includes('@')) return undefined;
  return { platform, address: accountName.slice(platform.length + 1) };
}
