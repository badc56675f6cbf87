import {
  startDiscordProcess,
  startMattermostProcess,
  startSlackProcess,
} from '../../../test/bots/processes.ts';

/** What a user did: how soon each interaction was acknowledged, and what became of a submitted form. */
export type Act = { acks: Ack[]; submission?: 'accepted' | 'given up' };
type Ack = { ms: number; error: string | undefined };

export type Bot = {
  /** How long the chat waits. */
  ackLimitMs: number;
  /** Lets one user do the next of a few things: run commands, and fill in the form. */
  act(user: number, turn: number): Promise<Act>;
  /** How many pushes users were told of. */
  told(): number;
  stop(): Promise<void>;
};

type Settings = Record<string, string>;

const secret = 'tulip-and-daffodil';
const ready = /is ready/;

/** A bot for each connection that a chat offers. */
export const bots: Record<string, (settings: Settings) => Promise<Bot>> = {
  'Slack over HTTP': (settings) => startSlackBot('http', settings),
  'Slack over Socket Mode': (settings) => startSlackBot('socket', settings),
  'Discord over HTTP': (settings) => startDiscordBot('http', settings),
  'Discord over the gateway': (settings) => startDiscordBot('gateway', settings),
  Mattermost: startMattermostBot,
};

type Inbox = { all(): { text: string }[] };

/** How many pushes these people were told of. */
const toldAmong = (people: { whispers: Inbox; dms: Inbox }[]) =>
  people
    .flatMap(({ whispers, dms }) => [...whispers.all(), ...dms.all()])
    .filter(({ text }) => ready.test(text)).length;

async function startSlackBot(mode: 'http' | 'socket', settings: Settings): Promise<Bot> {
  const { slack, stop } = await startSlackProcess(mode, settings);
  const userOf = (user: number) => slack.user(`user-${user}`);
  const users = new Set<number>();

  return {
    ackLimitMs: 3_000,
    async act(number, turn) {
      users.add(number);
      const user = userOf(number);
      if (turn % 3 === 0) return { acks: [await user.runs(`/push ${secret}`)] };
      if (turn % 3 === 1) return { acks: [await user.runs('/push list')] };
      const opening = user.runs('/push');
      const form = await opening.modal();
      const submitting = await form.fill({ Secret: secret }).submit();
      const submission = form.isOpen ? 'given up' : 'accepted'; // it stays open with an error
      return { acks: [await opening, submitting], submission };
    },
    told: () => toldAmong([...users].map(userOf)),
    stop,
  };
}

async function startDiscordBot(mode: 'http' | 'gateway', settings: Settings): Promise<Bot> {
  const { discord, stop } = await startDiscordProcess(mode, settings);
  const userOf = (user: number) => discord.user(`user-${user}`);
  const users = new Set<number>();

  return {
    ackLimitMs: 3_000,
    async act(number, turn) {
      users.add(number);
      const user = userOf(number);
      if (turn % 2 === 0) return { acks: [await user.runs('/pushes list')] };
      const opening = user.runs('/push');
      const form = await opening.modal();
      const submitting = form.fill({ Secret: secret }).submit();
      const acks = [await opening, await submitting];
      if (acks.some(({ error }) => error !== undefined)) return { acks };
      const { text } = await submitting.message(); // Discord waits for a late response
      return { acks, submission: ready.test(text) ? 'accepted' : 'given up' };
    },
    told: () => toldAmong([...users].map(userOf)),
    stop,
  };
}

/** Mattermost waits for the outcome, and a dialog stays open with an error. */
async function startMattermostBot(settings: Settings): Promise<Bot> {
  const { mattermost, stop } = await startMattermostProcess(settings);
  const userOf = (user: number) => mattermost.user(`user-${user}`);
  const users = new Set<number>();

  return {
    ackLimitMs: 30_000,
    async act(number, turn) {
      users.add(number);
      const user = userOf(number);
      if (turn % 2 === 0) return { acks: [await user.runs('/push list')] };
      const opening = user.runs('/push');
      const opened = await opening;
      const form = await opening.modal().catch(() => undefined); // or a card that opens it again
      if (form === undefined) return { acks: [opened] };
      const submitting = await form.fill({ Secret: secret }).submit();
      return { acks: [opened, submitting], submission: form.isOpen ? 'given up' : 'accepted' };
    },
    told: () => toldAmong([...users].map(userOf)),
    stop,
  };
}
