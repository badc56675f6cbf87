import type { TestService } from '../harness/service.ts';
import { aliceIn as aliceInDiscord } from './discord/alice.ts';
import { startStage as startDiscordStage } from './discord/stage.ts';
import { aliceIn as aliceInMattermost } from './mattermost/alice.ts';
import { startStage as startMattermostStage } from './mattermost/stage.ts';
import { aliceIn as aliceInSlack } from './slack/alice.ts';
import { startStage as startSlackStage } from './slack/stage.ts';
import type { recipientAt } from './staging.ts';

export const secret = 'tulip & <daffodil> "42" 🌷';

/** What people see, in every chat alike. */
type Pressed = Promise<unknown> & { message(): Promise<Message> };
/** A message as its reader sees it. */
export type Message = {
  text: string;
  isPrivate: boolean;
  buttons: string[];
  urlOf(label: string): unknown;
  press(label: string): Pressed;
  becomes(what: RegExp): Promise<unknown>;
};
/** A user of a chat. */
export type Person = { name: string; dms: { next(): Promise<Message>; count: number } };

/** Settings of the service besides those of its chat. */
type Environment = Record<string, string>;

/** A chat, and a service that is its app. */
export type Chat = {
  service: TestService;
  opens: ReturnType<typeof recipientAt>['opens'];
  stop(secrets: string[]): Promise<void>;
  /** Resolves when all notices that are due have been delivered. */
  deliver(): Promise<unknown>;
  /** Waits until a message has no button any more. */
  losesButtons(message: Message): Promise<unknown>;
  user(name: string): Person;
  /** Alice pushes to some people, and reads the answer. */
  pushTo(...names: string[]): Promise<Message>;
  burns(answer: Message): Promise<void>;
  /** Alice reminds the recipients of her one push from her list, and reads the answer. */
  nudges(): Promise<string>;
  /** Alice asks some people in a form, with two days for an answer, and reads the answer. */
  asks(...names: string[]): Promise<Message>;
  /** Alice creates a request link, in one line or by a form, and reads the answer. */
  asksByLink(title: string, entries?: Record<string, string>): Promise<Message>;
  /** Alice fills in the form of a request link, which is refused, and reads why. */
  refusesLink(title: string, entries: Record<string, string>): Promise<string>;
  /** What Alice is told below a message. */
  toldBelow(message: Message, what: RegExp): Promise<unknown>;
  /** A person gets no direct messages; in Slack whoever is the next. */
  closesDms(name: string): void;
  /** When a recipient can be reminded. */
  times: string[];
};

async function startSlackChat(environment: Environment = {}): Promise<Chat> {
  const stage = await startSlackStage({ environment });
  const { slack } = stage;
  const alice = aliceInSlack(slack, secret);
  return {
    ...stage,
    user: (name) => slack.user(name),
    losesButtons: (message) => slack.until('no button', () => message.buttons.length === 0 || undefined),
    pushTo: (...to) => alice.pushes({ to }),
    burns: alice.burns,
    nudges: alice.nudges,
    asks: (...names) => alice.asks(names),
    asksByLink: alice.asksByLink,
    refusesLink: alice.refusesLink,
    toldBelow: (message, what) => (message as Awaited<ReturnType<typeof alice.pushes>>).reply(what),
    closesDms: () => slack.disturb('chat.postMessage', { error: 'messages_tab_disabled' }),
    times: ['In an hour', 'Tomorrow at 9:00'],
  };
}

async function startDiscordChat(environment: Environment = {}): Promise<Chat> {
  const stage = await startDiscordStage({ environment });
  const { discord } = stage;
  const alice = aliceInDiscord(discord, secret);
  return {
    ...stage,
    user: (name) => discord.user(name),
    losesButtons: (message) => discord.until('no button', () => message.buttons.length === 0 || undefined),
    pushTo: (...to) => alice.pushes({ to }),
    burns: alice.burns,
    nudges: alice.nudges,
    asks: (...names) => alice.asks(names),
    asksByLink: alice.asksByLink,
    refusesLink: alice.refusesLink,
    toldBelow: async (_message, what) => (await discord.user('alice').dms.next()).becomes(what),
    closesDms: (name) => discord.user(name).closesDms(),
    times: ['In an hour', 'In 24 hours'],
  };
}

async function startMattermostChat(environment: Environment = {}): Promise<Chat> {
  const stage = await startMattermostStage({ environment });
  const { mattermost } = stage;
  const alice = aliceInMattermost(mattermost, secret);
  return {
    ...stage,
    user: (name) => mattermost.user(name),
    losesButtons: (message) => mattermost.until('no button', () => message.buttons.length === 0 || undefined),
    pushTo: (...to) => alice.pushes({ to }),
    burns: (answer) => alice.burns(answer as Awaited<ReturnType<typeof alice.pushes>>),
    nudges: alice.nudges,
    asks: (...names) => alice.asks(names),
    asksByLink: alice.asksByLink,
    refusesLink: alice.refusesLink,
    toldBelow: (message, what) => (message as Awaited<ReturnType<typeof alice.pushes>>).reply(what),
    closesDms: (name) => mattermost.user(name).closesDms(),
    times: ['In an hour', 'Tomorrow at 9:00'],
  };
}

/** Each chat by its name, for stories that are the same in all. */
export const chats: [name: string, start: (environment?: Environment) => Promise<Chat>][] = [
  ['Slack', startSlackChat],
  ['Discord', startDiscordChat],
  ['Mattermost', startMattermostChat],
];
