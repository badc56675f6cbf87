import { type Messages, messagesOf } from '../locales/locales.ts';

export type ChatMessages = Messages['chat'];

/** The texts of the chats, which speak English only so far. */
export const messages = messagesOf('en');
