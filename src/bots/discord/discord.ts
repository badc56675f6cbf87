import type { APIInteraction } from 'discord.js';
import { digestOf } from '../../domain/index.ts';
import { type BackgroundTasks, createBackgroundTasks } from '../backgroundTasks.ts';
import type { AdapterDependencies, ChatAdapter, ChatListener } from '../chatModule.ts';
import type { DirectMessages } from '../directMessages.ts';
import { toLoggable } from '../failure.ts';
import { createCache } from '../lookup.ts';
import { chatUserOf, createDiscordStandings } from './caller.ts';
import { createRegistration } from './commandDefinitions.ts';
import { explainDiscordError } from './errors.ts';
import { createGateway } from './gateway.ts';
import { createLeasedGateway, gatewayLeaseMs } from './gatewayLease.ts';
import { createInteractionReceiver } from './httpReceiver.ts';
import { createInteractionHandler, type Handler } from './interactions.ts';
import { renderDiscordMessage } from './render.ts';
import { createRestClient } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

type Dependencies = AdapterDependencies & { settings: DiscordSettings };

const stopTimeoutMs = 5_000;

/** Discord: interactions and notices. Nothing is requested of Discord before it is needed. */
export function createDiscord({ settings, domain, interactions, onError }: Dependencies): ChatAdapter {
  const rest = createRestClient(settings);
  const registration = createRegistration({ rest, settings, chat: domain.chat, onError });

  /** Serves interactions: over HTTP at the endpoint, or over the gateway from `start` to `stop`. */
  function listen(): ChatListener {
    const handle = createInteractionHandler({ rest, interactions, onError });
    const tasks = createBackgroundTasks(onError);
    const stopping = new AbortController();
    const gateway = settings.DISCORD_MODE === 'gateway' ? gatewayFor(handle, tasks) : undefined;
    const { DISCORD_PUBLIC_KEY: publicKey = '' } = settings;
    const receiver = () => createInteractionReceiver({ publicKey, handle, runInBackground: tasks.run });
    const endpoint = { method: 'POST', path: '/discord/interactions', isSigned: true };

    return {
      endpoints: gateway === undefined ? [{ ...endpoint, handle: receiver() }] : [],
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
  const channelOf = createCache((user) => rest.openDm(user), {
    freshForMs: Number.POSITIVE_INFINITY,
    entriesMax: 10_000,
  });

  async function maybeOpen(user: string): Promise<DirectMessages> {
    return {
      locale: await domain.chat.identities.maybeLocale(chatUserOf(user)),
      async send(card, key, below) {
        const reference = below && { message_id: below.message, fail_if_not_exists: false };
        return rest.send(below?.channel ?? (await channelOf(user)), {
          ...{ ...renderDiscordMessage(card), ...nonceOf(key) },
          ...(reference && { message_reference: reference }),
        });
      },
      edit: (message, card) => rest.edit(message, renderDiscordMessage(card)),
    };
  }

  return {
    transport: { maybeOpen, explain: explainDiscordError },
    standings: createDiscordStandings(rest),
    listen,
    register: () =>
      registration.register().catch((error) => {
        throw toLoggable(error, 'Discord', explainDiscordError);
      }),
  };
}

/** Within some minutes Discord creates only one message with the same nonce, of at most 25 characters. */
const nonceOf = (key: string) => ({
  nonce: digestOf(key).toString('base64url').slice(0, 22),
  enforce_nonce: true,
});
