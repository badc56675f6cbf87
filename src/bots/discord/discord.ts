import type { APIInteraction } from 'discord.js';
import { type BackgroundTasks, createBackgroundTasks } from '../backgroundTasks.ts';
import type { AdapterDependencies, ChatAdapter, ChatListener } from '../chatModule.ts';
import type { ChatEndpoint } from '../endpoint.ts';
import { redactDiscordError } from './errors.ts';
import { createGateway } from './gateway.ts';
import { createLeasedGateway, gatewayLeaseMs } from './gatewayLease.ts';
import { createInteractionReceiver } from './httpReceiver.ts';
import { createInteractionHandler, type Handler } from './interactions.ts';
import { createDiscordMessenger } from './messenger.ts';
import { createRegistration } from './registration.ts';
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

    return {
      endpoints: gateway === undefined ? httpEndpoints(handle, tasks) : [],
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

  function httpEndpoints(handle: Handler, { run }: BackgroundTasks): ChatEndpoint[] {
    const { publicKey } = settings;
    if (publicKey === undefined) return [];
    const receiver = createInteractionReceiver({ publicKey, handle, runInBackground: run });
    return [{ method: 'POST', path: '/discord/interactions', isSigned: true, handle: receiver }];
  }

  return {
    messenger: createDiscordMessenger({ domain, rest, linkTo: commands.linkTo }),
    listen,
    /** Registers the commands now. Resolves to their number. */
    register: () =>
      registration.register().catch((error) => {
        throw redactDiscordError(error);
      }),
  };
}
