import { setTimeout as sleep } from 'node:timers/promises';
import {
  type SessionInfo,
  WebSocketManager,
  WebSocketShardEvents,
  WebSocketShardStatus,
} from '@discordjs/ws';
import {
  type APIInteraction,
  DiscordAPIError,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  REST,
} from 'discord.js';
import { InvalidToken } from './errors.ts';
import { restOptions } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

type Dependencies = {
  settings: DiscordSettings;
  onInteraction: (interaction: APIInteraction) => void;
  /** The bot was removed from a server. */
  onRemoval: (server: string) => void;
  onError: (error: unknown) => void;
};

export type Gateway = ReturnType<typeof createGateway>;

/** Interactions and direct messages need none. This one, which is not privileged, tells of servers that remove the bot. */
const intents = GatewayIntentBits.Guilds;
const destroyTimeoutMs = 3_000;
const statusPollMs = 50;

/** The close codes that @discordjs/ws does not reconnect after. */
const fatalCodes: ReadonlySet<number> = new Set([
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
]);

/** Discord's gateway, by the library that discord.js is built on; it reconnects and resumes by itself. */
export function createGateway({ settings, onInteraction, onRemoval, onError }: Dependencies) {
  /** Listens until `signal` aborts. Throws when the library cannot connect or gives up: InvalidToken, or Discord's reason. */
  async function listen(signal: AbortSignal): Promise<void> {
    let isEnded = false;
    const sessions = new Map<number, SessionInfo | null>();
    const manager = new WebSocketManager({
      token: settings.token,
      intents,
      rest: new REST(restOptions(settings)).setToken(settings.token),
      // a shard that is between two connections when we end would open the next one: it waits here instead
      retrieveSessionInfo: (shard) => (isEnded ? new Promise(() => {}) : (sessions.get(shard) ?? null)),
      updateSessionInfo: (shard, session) => void sessions.set(shard, session),
    });
    const closed = new Promise<never>((_resolve, reject) => {
      manager.on(WebSocketShardEvents.Closed, ({ code }) => {
        if (fatalCodes.has(code)) reject(errorOfClose(code));
      });
    });
    manager.on(WebSocketShardEvents.Error, ({ error }) => onError(error));
    manager.on(WebSocketShardEvents.Dispatch, ({ data }) => {
      if (data.t === GatewayDispatchEvents.InteractionCreate) onInteraction(data.d);
      // a server with an outage is deleted, too, and is marked as unavailable
      if (data.t === GatewayDispatchEvents.GuildDelete && !data.d.unavailable) onRemoval(data.d.id);
    });
    try {
      await Promise.race([aborted(signal), closed, connect(manager).then(() => closed)]);
    } finally {
      isEnded = true;
      await destroy(manager).catch(onError);
    }
  }

  return { listen };
}

async function connect(manager: WebSocketManager): Promise<void> {
  try {
    await manager.connect();
  } catch (error) {
    throw error instanceof DiscordAPIError && error.status === 401 ? new InvalidToken() : error;
  }
}

/** Waits for shards that are connecting: destroyed in the middle, their sockets would live on, or fail without a listener. */
async function destroy(manager: WebSocketManager): Promise<void> {
  for (let waitedMs = 0; waitedMs < destroyTimeoutMs; waitedMs += statusPollMs) {
    const statuses = [...(await manager.fetchStatus()).values()];
    if (!statuses.includes(WebSocketShardStatus.Connecting)) break;
    await sleep(statusPollMs);
  }
  await manager.destroy();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function errorOfClose(code: number): Error {
  const isToken = code === GatewayCloseCodes.AuthenticationFailed;
  return isToken ? new InvalidToken() : new Error(`Discord closed the connection with ${code}`);
}
