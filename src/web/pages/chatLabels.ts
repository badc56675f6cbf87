import { type ChatUser, maybeChatUserOf, type Platform } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';

/** The name of each chat, and its command that connects a browser. */
export const chats: Record<Platform, { name: string; connectCommand: string }> = {
  slack: { name: 'Slack', connectCommand: '/push connect' },
  discord: { name: 'Discord', connectCommand: '/pushes connect' },
};

/** A chat user by name, or by address where the name is unknown. */
export function chatUserLabel(
  { connect }: Messages,
  { platform, address }: ChatUser,
  name: string | null,
): string {
  return connect.chatUser(name ?? address, chats[platform].name);
}

/** The label of an account: its e-mail address, or the chat user it was created for. `name` is their name in the chat. */
export function accountLabel(messages: Messages, email: string, name: string | null = null): string {
  const chatUser = maybeChatUserOf(email);
  return chatUser === undefined ? email : chatUserLabel(messages, chatUser, name);
}
