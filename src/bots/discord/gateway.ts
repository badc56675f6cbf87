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
import { asRefusal } from '../../domain/index.ts';
import { DeadToken, deadTokenRestMs } from './errors.ts';
import { restOptions } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

/** Held by one process at a time. */
type Lease = {
  /** Takes it, or renews it; says whether it is ours. */
  take(): Promise<boolean>;
  release(): Promise<void>;
};

type Parts = {
  settings: DiscordSettings;
  lease: Lease;
  heard: (interaction: APIInteraction) => void;
  failed: (error: unknown) => void;
};

/** Four renewals fit into the lease, so that one that fails loses nothing. */
export const leaseMs = 20_000;
const renewEveryMs = 5_000;
const againAfterMs = 1_000;
const againAfterMaxMs = 30_000;
const loginWithinMs = 3_000;

/** The library keeps everybody that it hears of, unless it is told not to. */
const nothing = Options.cacheWithLimits({
  GuildMemberManager: 0,
  MessageManager: 0,
  ThreadMemberManager: 0,
  UserManager: 0,
});

/**
 * Hears what people do over Discord's gateway, for as long as no other process does. The library connects again by itself
 * and goes on where it was; what it cannot recover from begins anew, ever more slowly.
 */
export function createGateway({ settings, lease, heard, failed }: Parts) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let staying: Promise<void> | undefined;

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});

  async function stay(): Promise<void> {
    for (let waitMs = againAfterMs; !signal.aborted; ) {
      if (!(await isOurs(false))) {
        await pause(renewEveryMs);
        continue;
      }
      try {
        await connect();
        waitMs = againAfterMs;
      } catch (error) {
        failed(error);
        await release();
        await pause(error instanceof DeadToken ? deadTokenRestMs : waitMs);
        waitMs = Math.min(2 * waitMs, againAfterMaxMs);
      }
    }
    await release();
  }

  /** While the database is away nobody can take the lease, so whoever has it keeps it. */
  async function isOurs(otherwise: boolean): Promise<boolean> {
    try {
      return await lease.take();
    } catch (error) {
      if (asRefusal(error) === undefined) failed(error);
      return otherwise;
    }
  }

  const release = () => lease.release().catch(() => {}); // it ends by itself

  async function untilLost(ended: AbortSignal): Promise<void> {
    while (!ended.aborted && !signal.aborted) {
      await Promise.race([pause(renewEveryMs), aborted(ended)]);
      if (!ended.aborted && !signal.aborted && !(await isOurs(true))) return;
    }
  }

  /** Stays connected until another process has the lease, or we are to stop; fails when the library gives up. */
  async function connect(): Promise<void> {
    const client = new Client({ intents: [], rest: restOptions(settings), makeCache: nothing });
    const ended = new AbortController();
    const givenUp = new Promise<never>((_resolve, reject) => {
      client.on(Events.ShardDisconnect, ({ code }) => reject(problemOf(code)));
      client.on(Events.Invalidated, () => reject(new Error('Discord ended the session')));
    });
    givenUp.catch(() => {});
    client.on(Events.Error, failed);
    client.on(Events.ShardError, failed);
    client.ws.on(GatewayDispatchEvents.InteractionCreate, heard);
    const login = client.login(settings.token).catch((error) => {
      throw isInvalid(error) ? new DeadToken() : error;
    });
    try {
      await Promise.race([untilLost(ended.signal), givenUp, login.then(() => givenUp)]);
    } finally {
      ended.abort();
      await Promise.race([login.catch(() => {}), sleep(loginWithinMs, undefined, { ref: false })]); // or it would go on
      await client.destroy().catch(failed);
    }
  }

  return {
    start() {
      staying = stay();
    },
    async stop() {
      stopping.abort();
      await staying;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function isInvalid(error: unknown): boolean {
  return error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
}

function problemOf(code: number): Error {
  const isToken = code === GatewayCloseCodes.AuthenticationFailed;
  return isToken ? new DeadToken() : new Error(`Discord closed the connection with ${code}`);
}
