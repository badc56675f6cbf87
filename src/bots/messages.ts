import { messagesOf } from '../locales/locales.ts';

/** The texts of the chats, which speak English only so far. */
export const messages = messagesOf('en');
