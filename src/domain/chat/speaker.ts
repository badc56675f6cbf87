/** The chats that people may come from. */
export const platforms = ['slack', 'discord'] as const;
export type Platform = (typeof platforms)[number];

/** Somebody in a chat: the platform, and the address under which its messenger reaches them (`TEAM:USER`, `USER`). */
export type Speaker = { platform: Platform; address: string };

/** The name of the account that is made for a speaker on first use; no e-mail address looks like it. */
export function accountNameOf({ platform, address }: Speaker): string {
  return `${platform}:${address}`;
}
