import { type ChatUser, maybeChatUserOf, type Platform } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';

/** How people call a chat, and what they write there to connect a browser. */
export const chats: Record<Platform, { name: string; connectCommand: string }> = {
  slack: { name: 'Slack', connectCommand: '/push connect' },
  discord: { name: 'Discord', connectCommand: '/pushes connect' },
};

/** Somebody in a chat, by how it calls them or, where we do not know, by their address. */
export function chatUserLabel(
  { connect }: Messages,
  { platform, address }: ChatUser,
  name: string | null,
): string {
  return connect.chatUser(name ?? address, chats[platform].name);
}

/** What an account is called: its e-mail address, or whom it was made for, `name` being how their chat calls them. */
export function accountLabel(messages: Messages, email: string, name: string | null = null): string {
  const chatUser = maybeChatUserOf(email);
  return chatUser === undefined ? email : chatUserLabel(messages, chatUser, name);
}
