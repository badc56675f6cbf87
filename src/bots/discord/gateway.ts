import { setTimeout as sleep } from 'node:timers/promises';
import {
  type APIInteraction,
  Client,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  Options,
} from 'discord.js';
import { toRefusal } from '../../domain/index.ts';
import { growingDelay, retry } from '../../retry.ts';
import { InvalidToken, invalidTokenPauseMs } from './errors.ts';
import { restOptions } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

/** Held by one process at a time. */
type Lease = {
  /** Takes it, or renews it; says whether it is ours. */
  acquire(): Promise<boolean>;
  release(): Promise<void>;
};

type Dependencies = {
  settings: DiscordSettings;
  lease: Lease;
  onInteraction: (interaction: APIInteraction) => void;
  onError: (error: unknown) => void;
};

/** Four renewals fit into the lease, so that one that fails loses nothing. */
export const leaseMs = 20_000;
const renewIntervalMs = 5_000;
const retryMinMs = 1_000;
const retryMaxMs = 30_000;
const loginTimeoutMs = 3_000;

/** The library keeps everybody that it hears of, unless it is told not to. */
const noCaches = Options.cacheWithLimits({
  GuildMemberManager: 0,
  MessageManager: 0,
  ThreadMemberManager: 0,
  UserManager: 0,
});

/**
 * Hears what people do over Discord's gateway, for as long as no other process does. The library connects again by itself
 * and goes on where it was; what it cannot recover from begins anew, ever more slowly.
 */
export function createGateway({ settings, lease, onInteraction, onError }: Dependencies) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});

  async function run(): Promise<void> {
    const growing = growingDelay(retryMinMs, retryMaxMs);
    const delayMs = (attempt: number, error: unknown) =>
      error instanceof InvalidToken ? invalidTokenPauseMs : growing(attempt);
    while (!signal.aborted)
      await retry(connectWithLease, { delayMs, onRetry: onError, signal }).catch(() => {}); // only when stopped
    await release();
  }

  async function connectWithLease(): Promise<void> {
    while (!(await holdsLease(false))) {
      await pause(renewIntervalMs);
      if (signal.aborted) return;
    }
    try {
      await connect();
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** While the database is away nobody can take the lease, so whoever has it keeps it. */
  async function holdsLease(fallback: boolean): Promise<boolean> {
    try {
      return await lease.acquire();
    } catch (error) {
      if (toRefusal(error) === undefined) onError(error);
      return fallback;
    }
  }

  const release = () => lease.release().catch(() => {}); // it ends by itself

  async function untilLeaseLost(ended: AbortSignal): Promise<void> {
    while (!ended.aborted && !signal.aborted) {
      await Promise.race([pause(renewIntervalMs), aborted(ended)]);
      if (!ended.aborted && !signal.aborted && !(await holdsLease(true))) return;
    }
  }

  /** Stays connected until another process has the lease, or we are to stop; fails when the library gives up. */
  async function connect(): Promise<void> {
    const client = new Client({ intents: [], rest: restOptions(settings), makeCache: noCaches });
    const ended = new AbortController();
    const disconnected = new Promise<never>((_resolve, reject) => {
      client.on(Events.ShardDisconnect, ({ code }) => reject(errorOfClose(code)));
      client.on(Events.Invalidated, () => reject(new Error('Discord ended the session')));
    });
    disconnected.catch(() => {});
    client.on(Events.Error, onError);
    client.on(Events.ShardError, onError);
    client.ws.on(GatewayDispatchEvents.InteractionCreate, onInteraction);
    const login = client.login(settings.token).catch((error) => {
      throw isInvalid(error) ? new InvalidToken() : error;
    });
    try {
      await Promise.race([untilLeaseLost(ended.signal), disconnected, login.then(() => disconnected)]);
    } finally {
      ended.abort();
      await Promise.race([login.catch(() => {}), sleep(loginTimeoutMs, undefined, { ref: false })]); // or it would go on
      await client.destroy().catch(onError);
    }
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function isInvalid(error: unknown): boolean {
  return error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
}

function errorOfClose(code: number): Error {
  const isToken = code === GatewayCloseCodes.AuthenticationFailed;
  return isToken ? new InvalidToken() : new Error(`Discord closed the connection with ${code}`);
}
