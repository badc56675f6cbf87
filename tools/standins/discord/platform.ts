import { defaultPatienceMs } from '../shared/patience.ts';
import { createClock } from './clock.ts';
import { createFaults } from './faults.ts';
import { createRecordings } from './recordings.ts';
import { createWorld } from './world.ts';

/** The settings that a test can change. */
export type Settings = {
  /** The host of its URLs: another name is for an app that reaches it through a proxy. */
  host: string;
  /** How long the app has for its first response to an interaction. */
  ackLimitMs: number;
  /** How long users wait for what they expect. */
  patienceMs: number;
  /** The heartbeat interval that the gateway asks for. */
  heartbeatMs: number;
  /** How long a session can be resumed after its connection is lost. */
  sessionLifeMs: number;
  /** The minimum time between two IDENTIFY messages. The real Discord has 5,000. */
  identifyEveryMs: number;
  /** The number of requests that each rate limit allows, and its period. */
  bucket: { limit: number; perMs: number };
  /** The number of requests a second in all. The real Discord has 50. */
  globalPerSecond: number;
  /** Whether it complains about its own responses when they violate Discord's OpenAPI document. */
  validatesOwnResponses: boolean;
};

export type Platform = ReturnType<typeof createPlatform>;

/** The parts of Discord that all other modules use. */
export function createPlatform(settings: Partial<Settings> = {}) {
  const clock = createClock();
  return {
    settings: {
      host: '127.0.0.1',
      ackLimitMs: 3000,
      patienceMs: defaultPatienceMs,
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
    /** How many sessions can be started today: https://docs.discord.com/developers/events/gateway#session-start-limit-object */
    startLimit: { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 1 },
    at: {
      /** Its URL, such as http://127.0.0.1:4000. */
      url: '',
      /** The URL of the gateway, such as ws://127.0.0.1:4000. */
      gatewayUrl: '',
    },
  };
}
