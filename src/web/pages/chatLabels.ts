import { type ChatUser, maybeChatUserOf } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { platforms } from '../../platforms.ts';

/** A chat user by name, or by address where the name is unknown. */
export function chatUserLabel(
  { connect }: Messages,
  { platform, address }: ChatUser,
  name: string | null,
): string {
  return connect.chatUser(name ?? address, platforms[platform].name);
}

/** The label of an account: its e-mail address, or the chat user it was created for. `name` is their name in the chat. */
export function accountLabel(messages: Messages, email: string, name: string | null = null): string {
  const chatUser = maybeChatUserOf(email);
  return chatUser === undefined ? email : chatUserLabel(messages, chatUser, name);
}
