import { createClock } from './clock.ts';
import { createFaults } from './faults.ts';
import { createRecordings } from './recordings.ts';
import type { App, Message, User } from './things.ts';
import { createWorld } from './world.ts';

/** What a test may set otherwise. */
export type Settings = {
  /** How long the app has to acknowledge. */
  ackLimitMs: number;
  /** How long the trigger of an interaction can open a modal. */
  triggerLifeMs: number;
  /** How long people wait for what they expect. */
  patienceMs: number;
  /** Whether one message a second and conversation is all that is let through. */
  onePerSecond: boolean;
  /**
   * Whether &, < and > in the text after a slash command arrive as HTML entities, as they do in the texts of messages.
   * Slack does not document it for commands.
   */
  commandTextIsEscaped: boolean;
};

/** A URL that answers to one command or one press of a button. */
export type ResponseUrl = {
  user: User;
  grant: Message['grant'];
  conversation: Message['conversation'];
  /** The message that it replaces or deletes: that of the button, or the first that came by this URL. */
  original: Message | undefined;
  threadTs: string | undefined;
  expiresAt: number;
  usesLeft: number;
};

export type Platform = ReturnType<typeof createPlatform>;

/** The parts of Slack that all others work with. */
export function createPlatform(settings: Partial<Settings> = {}) {
  const clock = createClock();
  return {
    settings: {
      ackLimitMs: 3000,
      triggerLifeMs: 3000,
      patienceMs: 100_000,
      onePerSecond: false,
      commandTextIsEscaped: false,
      ...settings,
    },
    clock,
    world: createWorld(clock),
    recordings: createRecordings(),
    faults: createFaults(),
    responseUrls: new Map<string, ResponseUrl>(),
    /** One-use tickets for Socket Mode connections, by what they say. */
    tickets: new Map<string, App>(),
    at: {
      /** Where it listens, such as http://127.0.0.1:4000. */
      url: '',
      /** Whom a browser on the page of consent belongs to. */
      signedIn: undefined as User | undefined,
    },
  };
}
