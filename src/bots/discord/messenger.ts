import { createHash } from 'node:crypto';
import type { Domain, Messenger } from '../../domain/index.ts';
import type { DirectMessages } from '../directMessages.ts';
import { createCache } from '../lookup.ts';
import { createChatMessenger } from '../messenger.ts';
import { chatUserOf } from './caller.ts';
import { discordDeliveryOf, isDiscordMessageMissing, isDiscordUnreachable } from './errors.ts';
import { renderDiscordMessage } from './render.ts';
import type { DiscordRest } from './restClient.ts';

type Dependencies = {
  domain: Pick<Domain, 'pushes' | 'chat'>;
  rest: DiscordRest;
  linkTo: (urlToken: string) => string;
};

/** Delivers notices in Discord. */
export function createDiscordMessenger({ domain, rest, linkTo }: Dependencies): Messenger {
  /** Channels of direct messages never change; opening one again is harmless. */
  const channelOf = createCache((_: undefined, user) => rest.openDm(user), {
    freshForMs: Number.POSITIVE_INFINITY,
    entriesMax: 10_000,
  });

  async function maybeOpen(userId: string): Promise<DirectMessages> {
    return {
      locale: await domain.chat.identities.maybeLocale(chatUserOf(userId)),
      send: async (card, key) =>
        rest.send(await channelOf(undefined, userId), { ...renderDiscordMessage(card), ...nonceOf(key) }),
      async edit(message, card) {
        await rest.edit(message, renderDiscordMessage(card));
      },
      async reply({ channel, message }, card, key) {
        const message_reference = { message_id: message, fail_if_not_exists: false };
        return rest.send(channel, { ...renderDiscordMessage(card), ...nonceOf(key), message_reference });
      },
    };
  }

  const transport = {
    maybeOpen,
    isLost: isDiscordMessageMissing,
    isUnreachable: isDiscordUnreachable,
    toDelivery: discordDeliveryOf,
  };
  return createChatMessenger({ platform: 'discord', name: 'Discord', domain, linkTo, transport });
}

/** Within some minutes Discord creates only one message with the same nonce, of at most 25 characters. */
function nonceOf(key: string) {
  return {
    nonce: createHash('sha256').update(key).digest('base64url').slice(0, 22),
    enforce_nonce: true,
  };
}
