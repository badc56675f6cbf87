import { createHash } from 'node:crypto';
import type { Domain, Messenger } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { type Correspondent, createChatMessenger } from '../messenger.ts';
import { isLost, isUnreachable, verdictOn } from './errors.ts';
import { draw } from './render.ts';
import type { Api } from './restClient.ts';

type Parts = {
  domain: Pick<Domain, 'pushes' | 'chat'>;
  api: Api;
  linkTo: (urlToken: string) => string;
};

/** Where the channel of somebody's direct messages is kept: among the messages that they have, as that about nothing. */
const aboutNothing = '0'.repeat(32);

/** Discord's way to people. An address is their id. */
export function createDiscordMessenger({ domain, api, linkTo }: Parts): Messenger {
  const { messages } = domain.chat;

  async function channelOf(address: string): Promise<string> {
    const reader = { platform: 'discord' as const, address };
    const known = await messages.maybeFind(aboutNothing, reader);
    if (known !== undefined) return known.channel;
    const channel = await api.openDm(address);
    await messages.keep(aboutNothing, reader, { channel, message: '' });
    return channel;
  }

  async function reach(address: string): Promise<Correspondent> {
    return {
      send: async (card, key) => api.send(await channelOf(address), { ...draw(card), ...once(key) }),
      edit: async (message, card) => void (await api.edit(message, draw(card))),
      answer: async ({ channel, message }, card: Card, key) =>
        void (await api.send(channel, {
          ...draw(card),
          ...once(key),
          message_reference: { message_id: message, fail_if_not_exists: false },
        })),
    };
  }

  const transport = { reach, isLost, isUnreachable, verdictOn };
  return createChatMessenger({ platform: 'discord', name: 'Discord', domain, linkTo, transport });
}

/** Discord posts what has the same nonce once within some minutes; it takes 25 characters. */
function once(key: string) {
  return {
    nonce: createHash('sha256').update(key).digest('base64url').slice(0, 22),
    enforce_nonce: true,
  };
}
