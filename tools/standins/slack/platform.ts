import { defaultPatienceMs } from '../shared/patience.ts';
import { createClock } from './clock.ts';
import { createFaults } from './faults.ts';
import { createRecordings } from './recordings.ts';
import { compileSchemas } from './schema/validity.ts';
import type { App, Message, User } from './things.ts';
import { createWorld } from './world.ts';

/** The settings that a test can change. */
export type Settings = {
  /** The host of its URLs: another name is for an app that reaches it through a proxy. */
  host: string;
  /** How long the app has to acknowledge. */
  ackLimitMs: number;
  /** How long the trigger of an interaction can open a modal. */
  triggerLifeMs: number;
  /** How long users wait for what they expect. */
  patienceMs: number;
  /** Whether messages are limited to one a second in each conversation. */
  onePerSecond: boolean;
  /**
   * Whether &, < and > in the text of a slash command arrive as HTML entities, as they do in messages.
   * Slack does not document this for commands.
   */
  commandTextIsEscaped: boolean;
};

/** A URL for responses to one command or one press of a button. */
export type ResponseUrl = {
  user: User;
  grant: Message['grant'];
  conversation: Message['conversation'];
  /** The message that it replaces or deletes: the button's, or the first one posted through this URL. */
  original: Message | undefined;
  threadTs: string | undefined;
  expiresAt: number;
  usesLeft: number;
};

export type Platform = ReturnType<typeof createPlatform>;

/** The parts of Slack that all other modules use. */
export function createPlatform(settings: Partial<Settings> = {}) {
  const clock = createClock();
  compileSchemas();
  return {
    settings: {
      host: '127.0.0.1',
      ackLimitMs: 3000,
      triggerLifeMs: 3000,
      patienceMs: defaultPatienceMs,
      onePerSecond: false,
      commandTextIsEscaped: false,
      ...settings,
    },
    clock,
    world: createWorld(clock),
    recordings: createRecordings(),
    faults: createFaults(),
    responseUrls: new Map<string, ResponseUrl>(),
    /** Single-use tickets for Socket Mode connections, by their value. */
    tickets: new Map<string, App>(),
    at: {
      /** Its URL, such as http://127.0.0.1:4000. */
      url: '',
      /** The user who is signed in on the consent page. */
      signedIn: undefined as User | undefined,
    },
  };
}
