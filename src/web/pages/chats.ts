import { maybeSpeakerOf, type Platform, type Speaker } from '../../domain/index.ts';
import type { Words } from '../locales/locales.ts';

/** How people call a chat, and what they write there to connect a browser. */
export const chats: Record<Platform, { name: string; connect: string }> = {
  slack: { name: 'Slack', connect: '/push connect' },
  discord: { name: 'Discord', connect: '/pushes connect' },
};

/** Somebody in a chat, by how it calls them or, where we do not know, by their address. */
export function personIn({ connect }: Words, { platform, address }: Speaker, name: string | null): string {
  return connect.who(name ?? address, chats[platform].name);
}

/** What an account is called: its e-mail address, or whom it was made for, `name` being how their chat calls them. */
export function accountCalled(words: Words, email: string, name: string | null = null): string {
  const speaker = maybeSpeakerOf(email);
  return speaker === undefined ? email : personIn(words, speaker, name);
}
