import { createClock } from './clock.ts';
import { createFaults } from './faults.ts';
import { createRecordings } from './recordings.ts';
import { createWorld } from './world.ts';

/** What a test may set otherwise. */
export type Settings = {
  /** How long the app has for its first answer to an interaction. */
  ackLimitMs: number;
  /** How long people wait for what they expect. */
  patienceMs: number;
  /** What the gateway asks for. */
  heartbeatMs: number;
  /** How long a session whose connection is gone can be resumed. */
  sessionLifeMs: number;
  /** How long after an IDENTIFY the next one is refused; 5,000 where Discord is itself. */
  identifyEveryMs: number;
  /** How many requests each rate limit lets through, and in which time. */
  bucket: { limit: number; perMs: number };
  /** How many requests a second are let through in all; 50 where Discord is itself. */
  globalPerSecond: number;
  /** Whether it complains of answers of its own that Discord's OpenAPI document does not allow. */
  validatesOwnResponses: boolean;
};

export type Platform = ReturnType<typeof createPlatform>;

/** The parts of Discord that all others work with. */
export function createPlatform(settings: Partial<Settings> = {}) {
  const clock = createClock();
  return {
    settings: {
      ackLimitMs: 3000,
      patienceMs: 100_000,
      heartbeatMs: 41_250,
      sessionLifeMs: 180_000,
      identifyEveryMs: 0,
      bucket: { limit: 1000, perMs: 1000 },
      globalPerSecond: Number.POSITIVE_INFINITY,
      validatesOwnResponses: false,
      ...settings,
    } satisfies Settings,
    clock,
    world: createWorld(clock),
    recordings: createRecordings(),
    faults: createFaults(),
    /** How many sessions may be started today: https://docs.discord.com/developers/events/gateway#session-start-limit-object */
    startLimit: { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 1 },
    at: {
      /** Where it listens, such as http://127.0.0.1:4000. */
      url: '',
      /** The same for the gateway, such as ws://127.0.0.1:4000. */
      gatewayUrl: '',
    },
  };
}
