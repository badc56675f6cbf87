import { createHash } from 'node:crypto';
import type { APIInteraction } from 'discord.js';
import { type BackgroundTasks, createBackgroundTasks } from '../backgroundTasks.ts';
import type { AdapterDependencies, ChatAdapter, ChatListener } from '../chatModule.ts';
import type { ChatTransport } from '../directMessages.ts';
import { createCache } from '../lookup.ts';
import { chatUserOf } from './caller.ts';
import {
  discordDeliveryOf,
  isDiscordMessageMissing,
  isDiscordUnreachable,
  redactDiscordError,
} from './errors.ts';
import { createGateway } from './gateway.ts';
import { createLeasedGateway, gatewayLeaseMs } from './gatewayLease.ts';
import { createInteractionReceiver } from './httpReceiver.ts';
import { createInteractionHandler, type Handler } from './interactions.ts';
import { createRegistration } from './registration.ts';
import { renderDiscordMessage } from './render.ts';
import { createRestClient } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';
import { createDiscordStandings } from './standing.ts';

type Dependencies = AdapterDependencies & { settings: DiscordSettings };

const stopTimeoutMs = 5_000;

/** Discord: interactions and notices. Nothing is requested of Discord before it is needed. */
export function createDiscord({ settings, domain, commands, onError: report }: Dependencies): ChatAdapter {
  const onError = (error: unknown) => report(redactDiscordError(error));
  const rest = createRestClient(settings);
  const registration = createRegistration({ rest, settings, chat: domain.chat, onError });

  /** Serves interactions: over HTTP at the endpoint, or over the gateway from `start` to `stop`. */
  function listen(): ChatListener {
    const handle = createInteractionHandler({ rest, commands, onError });
    domain.chat.access.connect('discord', createDiscordStandings(rest));
    const tasks = createBackgroundTasks(onError);
    const stopping = new AbortController();
    const gateway = settings.mode === 'gateway' ? gatewayFor(handle, tasks) : undefined;
    const { publicKey = '' } = settings;
    const interactions = () => ({
      ...{ method: 'POST', path: '/discord/interactions', isSigned: true },
      handle: createInteractionReceiver({ publicKey, handle, runInBackground: tasks.run }),
    });

    return {
      endpoints: gateway === undefined ? [interactions()] : [],
      async start(ready) {
        ready.then((isReady) => {
          if (!isReady || stopping.signal.aborted) return;
          tasks.run(() => registration.registerUntilDone(stopping.signal));
          gateway?.start();
        });
      },
      async stop(): Promise<void> {
        stopping.abort();
        await gateway?.stop();
        await tasks.settle(stopTimeoutMs);
      },
    };
  }

  function gatewayFor(handle: Handler, tasks: BackgroundTasks) {
    async function respond(interaction: APIInteraction): Promise<void> {
      const reply = await handle(interaction);
      await rest.respond(interaction, reply.initial);
      await reply.followUp?.();
    }
    const onInteraction = (interaction: APIInteraction) => tasks.run(() => respond(interaction));
    const onRemoval = (workspace: string) =>
      tasks.run(() => domain.chat.workspaceRemoval.begin({ platform: 'discord', workspace }));
    const gateway = createGateway({ settings, onInteraction, onRemoval, onError });
    const lease = domain.leases.of('discord gateway', gatewayLeaseMs);
    return createLeasedGateway({ gateway, lease, onError });
  }

  /** Channels of direct messages never change; opening one again is harmless. */
  const channelOf = createCache((_: undefined, user) => rest.openDm(user), {
    freshForMs: Number.POSITIVE_INFINITY,
    entriesMax: 10_000,
  });

  const transport: ChatTransport = {
    async maybeOpen(user) {
      return {
        locale: await domain.chat.identities.maybeLocale(chatUserOf(user)),
        send: async (card, key) =>
          rest.send(await channelOf(undefined, user), { ...renderDiscordMessage(card), ...nonceOf(key) }),
        async edit(message, card) {
          await rest.edit(message, renderDiscordMessage(card));
        },
        async reply({ channel, message }, card, key) {
          const message_reference = { message_id: message, fail_if_not_exists: false };
          return rest.send(channel, { ...renderDiscordMessage(card), ...nonceOf(key), message_reference });
        },
      };
    },
    isLost: isDiscordMessageMissing,
    isUnreachable: isDiscordUnreachable,
    toDelivery: discordDeliveryOf,
  };

  return {
    transport,
    listen,
    /** Registers the commands now. Resolves to their number. */
    register: () =>
      registration.register().catch((error) => {
        throw redactDiscordError(error);
      }),
  };
}

/** Within some minutes Discord creates only one message with the same nonce, of at most 25 characters. */
function nonceOf(key: string) {
  return {
    nonce: createHash('sha256').update(key).digest('base64url').slice(0, 22),
    enforce_nonce: true,
  };
}
