import { setTimeout as sleep } from 'node:timers/promises';
import type { APIInteraction } from 'discord.js';
import type { Domain } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import type { Endpoint } from '../endpoint.ts';
import { DeadToken, deadTokenRestMs, describable } from './errors.ts';
import { createGateway, leaseMs } from './gateway.ts';
import { createHttpEndpoint } from './httpReceiver.ts';
import { createHearing, type Hear } from './interactions.ts';
import { createDiscordMessenger } from './messenger.ts';
import { createRegistration } from './registration.ts';
import { createApi } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

type Parts = {
  settings: DiscordSettings;
  domain: Domain;
  commands: Commands;
  /** Told of what failed and nobody else hears of. */
  failed: (error: unknown) => void;
};

const registerAgainAfterMs = 30_000;
const stopWithinMs = 5_000;

/** Discord: people's commands, and the notices that they get. Nothing is asked of Discord before it is used. */
export function createDiscord({ settings, domain, commands, failed: told }: Parts) {
  const failed = (error: unknown) => told(describable(error));
  const api = createApi(settings);
  const registration = createRegistration({ api, settings, chat: domain.chat });

  /** Hears what people do: over HTTP at the endpoint, or over the gateway from `start` to `stop`. */
  function listen() {
    const hear = createHearing({ api, commands, failed });
    const stopping = new AbortController();
    const unfinished = new Set<Promise<void>>();

    function later(work: () => Promise<void>): void {
      const working = work()
        .catch(failed)
        .finally(() => unfinished.delete(working));
      unfinished.add(working);
    }

    const gateway = settings.mode === 'gateway' ? overGateway(hear, later) : undefined;
    const { publicKey } = settings;
    const endpoints: Endpoint[] =
      settings.mode === 'gateway' || publicKey === undefined
        ? []
        : [
            {
              method: 'POST',
              path: '/discord/interactions',
              answer: createHttpEndpoint({ publicKey, hear, later }),
            },
          ];

    /** Until it is done, however long Discord or the database are away. */
    async function register(): Promise<void> {
      while (!stopping.signal.aborted) {
        try {
          return await registration.registerChanges();
        } catch (error) {
          failed(error);
          const waitMs = error instanceof DeadToken ? deadTokenRestMs : registerAgainAfterMs;
          await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
        }
      }
    }

    return {
      endpoints,
      /** Begins when the database is `ready`. */
      start(ready: Promise<boolean>): void {
        ready.then((isReady) => {
          if (!isReady || stopping.signal.aborted) return;
          later(register);
          gateway?.start();
        });
      },
      async stop(): Promise<void> {
        stopping.abort();
        await gateway?.stop();
        await Promise.race([Promise.all(unfinished), sleep(stopWithinMs, undefined, { ref: false })]);
      },
    };
  }

  function overGateway(hear: Hear, later: (work: () => Promise<void>) => void) {
    const lease = domain.leases.of('discord gateway', leaseMs);
    const answer = async (interaction: APIInteraction) => {
      const heard = await hear(interaction);
      await api.respond(interaction, heard.first);
      await heard.later?.();
    };
    return createGateway({
      settings,
      lease,
      heard: (interaction) => later(() => answer(interaction)),
      failed,
    });
  }

  return {
    messenger: createDiscordMessenger({ domain, api, linkTo: commands.linkTo }),
    listen,
    /** Tells Discord which commands there are, and gives how many. */
    register: () =>
      registration.register().catch((error) => {
        throw describable(error);
      }),
  };
}
