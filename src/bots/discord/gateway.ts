import { once } from 'node:events';
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

/** The close codes that @discordjs/ws does not reconnect after, but for that of a refused token. */
const fatalCodes: ReadonlySet<number> = new Set([
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
]);

/** Discord's gateway, by the library that discord.js is built on; it reconnects and resumes by itself. */
export function createGateway({ settings, onInteraction, onRemoval, onError }: Dependencies) {
  const { DISCORD_TOKEN: token = '' } = settings;

  /** Listens until `signal` aborts. Throws when the library cannot connect or gives up: InvalidToken, or Discord's reason. */
  async function listen(signal: AbortSignal): Promise<void> {
    let isEnded = false;
    const sessions = new Map<number, SessionInfo | null>();
    const manager = new WebSocketManager({
      token,
      intents,
      rest: new REST(restOptions(settings)).setToken(token),
      // a shard that is between two connections when we end would open the next one: it waits here instead
      retrieveSessionInfo: (shard) => (isEnded ? new Promise(() => {}) : (sessions.get(shard) ?? null)),
      updateSessionInfo: (shard, session) => void sessions.set(shard, session),
    });
    const fail = (error: unknown) => {
      throw error instanceof DiscordAPIError && error.status === 401 ? new InvalidToken() : error;
    };
    const closed = new Promise<never>((_resolve, reject) => {
      manager.on(WebSocketShardEvents.Closed, ({ code }) => {
        if (code === GatewayCloseCodes.AuthenticationFailed) reject(new InvalidToken());
        else if (fatalCodes.has(code)) reject(new Error(`Discord closed the connection with ${code}`));
      });
    });
    manager.on(WebSocketShardEvents.Error, ({ error }) => onError(error));
    manager.on(WebSocketShardEvents.Dispatch, ({ data }) => {
      if (data.t === GatewayDispatchEvents.InteractionCreate) onInteraction(data.d);
      // a server with an outage is deleted, too, and is marked as unavailable
      if (data.t === GatewayDispatchEvents.GuildDelete && !data.d.unavailable) onRemoval(data.d.id);
    });
    try {
      await Promise.race([
        signal.aborted || once(signal, 'abort'),
        closed,
        manager.connect().then(() => closed, fail),
      ]);
    } finally {
      isEnded = true;
      await destroy(manager).catch(onError);
    }
  }

  return { listen };
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
