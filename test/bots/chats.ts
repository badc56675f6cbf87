import type { TestService } from '../harness/service.ts';
import { startStage as startDiscordStage } from './discord/stage.ts';
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
  /** Alice pushes to some people. */
  pushTo(...names: string[]): Promise<void>;
  /** Alice reminds the recipients of her one push from her list, and reads the answer. */
  nudges(): Promise<string>;
  /** Alice asks some people in a form, with two days for an answer, and reads the answer. */
  asks(...names: string[]): Promise<Message>;
  /** A person gets no direct messages; in Slack whoever is the next. */
  closesDms(name: string): void;
  /** When a recipient can be reminded. */
  times: string[];
};

async function startSlackChat(): Promise<Chat> {
  const stage = await startSlackStage();
  const { slack } = stage;
  const alice = slack.user('alice');
  const people = (names: string[]) => names.map((name) => slack.user(name));
  return {
    ...stage,
    user: (name) => slack.user(name),
    losesButtons: (message) => slack.until('no button', () => message.buttons.length === 0 || undefined),
    async pushTo(...names) {
      const form = await alice.runs('/push').modal();
      await form
        .fill({ Secret: secret, Recipients: people(names) })
        .submit()
        .message();
    },
    async nudges() {
      const list = await alice.runs('/push list').message();
      const answer = await list.press('Send a reminder').modal();
      return (await answer.becomes(/remind|recipients/)).text;
    },
    async asks(...names) {
      const form = await alice.runs('/push request the VPN').modal();
      form.fill({ 'Who should send it?': people(names), 'Answer needed within': '2 days' });
      return form.submit().message();
    },
    closesDms: () => slack.disturb('chat.postMessage', { error: 'messages_tab_disabled' }),
    times: ['In an hour', 'Tomorrow at 9:00'],
  };
}

async function startDiscordChat(): Promise<Chat> {
  const stage = await startDiscordStage();
  const { discord } = stage;
  const alice = discord.user('alice');
  const people = (names: string[]) => names.map((name) => discord.user(name));
  return {
    ...stage,
    user: (name) => discord.user(name),
    losesButtons: (message) => discord.until('no button', () => message.buttons.length === 0 || undefined),
    async pushTo(...names) {
      const form = await alice.runs('/push', { name: 'VPN' }).modal();
      await form
        .fill({ Secret: secret, Recipients: people(names) })
        .submit()
        .message();
    },
    async nudges() {
      const list = await alice.runs('/pushes list').message();
      const status = await list.choose('VPN', { at: 'Choose one …' }).message();
      return (await status.press('Send a reminder').message()).text;
    },
    async asks(...names) {
      const form = await alice.runs('/pushes request', { reason: 'the VPN' }).modal();
      form.fill({ 'Who should send it?': people(names), 'Answer needed within': '2 days' });
      return form.submit().message();
    },
    closesDms: (name) => discord.user(name).closesDms(),
    times: ['In an hour', 'In 24 hours'],
  };
}

/** Each chat by its name, for stories that are the same in all. */
export const chats: [name: string, start: () => Promise<Chat>][] = [
  ['Slack', startSlackChat],
  ['Discord', startDiscordChat],
];
