import type { Recipient } from '../notifications/outbox.ts';

/** The chats that people may come from. */
export type Platform = 'slack' | 'discord';

/** Somebody in a chat: the platform, and the address under which its messenger reaches them (`TEAM:USER`, `USER`). */
export type Speaker = { platform: Platform; address: string };

/** A speaker as somebody to tell. */
export function asRecipient({ platform, address }: Speaker): Recipient {
  return { messenger: platform, address };
}

/** Who asks for something in a chat, and where. */
export type Asker = {
  speaker: Speaker;
  /** The workspace or server whose rules hold here. */
  workspace: string;
  /** Names this very act: the same when the platform tells of it again. Absent from what changes nothing. */
  occasion?: string;
};

/** The name of the account that is made for a speaker on first use; no e-mail address looks like it. */
export function accountNameOf({ platform, address }: Speaker): string {
  return `${platform}:${address}`;
}
