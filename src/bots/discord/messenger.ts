import { createHash } from 'node:crypto';
import type { Domain, Messenger } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { DirectMessages } from '../directMessages.ts';
import { createChatMessenger } from '../messenger.ts';
import { deliveryOf, isMessageMissing, isUnreachable } from './errors.ts';
import { renderMessage } from './render.ts';
import type { DiscordRest } from './restClient.ts';

type Dependencies = {
  domain: Pick<Domain, 'pushes' | 'chat'>;
  rest: DiscordRest;
  linkTo: (urlToken: string) => string;
};

/** Where the channel of somebody's direct messages is kept: among the messages that they have, as that about nothing. */
const aboutNothing = '0'.repeat(32);

/** Discord's way to people. An address is their id. */
export function createDiscordMessenger({ domain, rest, linkTo }: Dependencies): Messenger {
  const { messages } = domain.chat;

  async function channelOf(address: string): Promise<string> {
    const reader = { platform: 'discord' as const, address };
    const known = await messages.maybeFind(aboutNothing, reader);
    if (known !== undefined) return known.channel;
    const channel = await rest.openDm(address);
    await messages.save(aboutNothing, reader, { channel, message: '' });
    return channel;
  }

  async function connect(address: string): Promise<DirectMessages> {
    return {
      send: async (card, key) =>
        rest.send(await channelOf(address), { ...renderMessage(card), ...nonceOf(key) }),
      edit: async (message, card) => void (await rest.edit(message, renderMessage(card))),
      reply: async ({ channel, message }, card: Card, key) =>
        void (await rest.send(channel, {
          ...renderMessage(card),
          ...nonceOf(key),
          message_reference: { message_id: message, fail_if_not_exists: false },
        })),
    };
  }

  const transport = { maybeOpen: connect, isLost: isMessageMissing, isUnreachable, toDelivery: deliveryOf };
  return createChatMessenger({ platform: 'discord', name: 'Discord', domain, linkTo, transport });
}

/** Discord posts what has the same nonce once within some minutes; it takes 25 characters. */
function nonceOf(key: string) {
  return {
    nonce: createHash('sha256').update(key).digest('base64url').slice(0, 22),
    enforce_nonce: true,
  };
}
