import { setTimeout as sleep } from 'node:timers/promises';
import type { APIInteraction } from 'discord.js';
import type { Domain } from '../../domain/index.ts';
import { retry } from '../../retry.ts';
import type { Commands } from '../commands.ts';
import type { ChatEndpoint } from '../endpoint.ts';
import { InvalidToken, invalidTokenPauseMs, redacted } from './errors.ts';
import { createGateway } from './gateway.ts';
import { createLeasedGateway, leaseMs } from './gatewayLease.ts';
import { createInteractionReceiver } from './httpReceiver.ts';
import { createInteractionHandler, type Handler } from './interactions.ts';
import { createDiscordMessenger } from './messenger.ts';
import { createRegistration } from './registration.ts';
import { createRestClient } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

type Dependencies = {
  settings: DiscordSettings;
  domain: Domain;
  commands: Commands;
  /** Told of what failed and nobody else hears of. */
  onError: (error: unknown) => void;
};

const registerRetryMs = 30_000;
const stopTimeoutMs = 5_000;

/** Discord: people's commands, and the notices that they get. Nothing is asked of Discord before it is used. */
export function createDiscord({ settings, domain, commands, onError: told }: Dependencies) {
  const onError = (error: unknown) => told(redacted(error));
  const rest = createRestClient(settings);
  const registration = createRegistration({ rest, settings, chat: domain.chat });

  /** Hears what people do: over HTTP at the endpoint, or over the gateway from `start` to `stop`. */
  function listen() {
    const handle = createInteractionHandler({ rest, commands, onError });
    const stopping = new AbortController();
    const pending = new Set<Promise<void>>();

    function runInBackground(task: () => Promise<void>): void {
      const running = task()
        .catch(onError)
        .finally(() => pending.delete(running));
      pending.add(running);
    }

    const gateway = settings.mode === 'gateway' ? createGatewayListener(handle, runInBackground) : undefined;
    const { publicKey } = settings;
    const endpoints: ChatEndpoint[] =
      settings.mode === 'gateway' || publicKey === undefined
        ? []
        : [
            {
              method: 'POST',
              path: '/discord/interactions',
              handle: createInteractionReceiver({ publicKey, handle, runInBackground }),
            },
          ];

    /** Until it is done, however long Discord or the database are away. */
    async function register(): Promise<void> {
      const delayMs = (_attempt: number, error: unknown) =>
        error instanceof InvalidToken ? invalidTokenPauseMs : registerRetryMs;
      const { signal } = stopping;
      await retry(registration.registerIfChanged, { delayMs, onRetry: onError, signal }).catch(() => {}); // only when stopped
    }

    return {
      endpoints,
      /** Begins when the database is `ready`. */
      start(ready: Promise<boolean>): void {
        ready.then((isReady) => {
          if (!isReady || stopping.signal.aborted) return;
          runInBackground(register);
          gateway?.start();
        });
      },
      async stop(): Promise<void> {
        stopping.abort();
        await gateway?.stop();
        await Promise.race([Promise.all(pending), sleep(stopTimeoutMs, undefined, { ref: false })]);
      },
    };
  }

  function createGatewayListener(handle: Handler, runInBackground: (work: () => Promise<void>) => void) {
    const lease = domain.leases.of('discord gateway', leaseMs);
    const respond = async (interaction: APIInteraction) => {
      const reply = await handle(interaction);
      await rest.respond(interaction, reply.initial);
      await reply.followUp?.();
    };
    const onInteraction = (interaction: APIInteraction) => runInBackground(() => respond(interaction));
    const gateway = createGateway({ settings, onInteraction, onError });
    return createLeasedGateway({ gateway, lease, onError });
  }

  return {
    messenger: createDiscordMessenger({ domain, rest, linkTo: commands.linkTo }),
    listen,
    /** Tells Discord which commands there are, and gives how many. */
    register: () =>
      registration.register().catch((error) => {
        throw redacted(error);
      }),
  };
}
