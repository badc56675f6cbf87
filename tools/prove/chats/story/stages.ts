import { aliceIn as aliceInDiscord } from '../../../../test/bots/discord/alice.ts';
import { aliceIn as aliceInMattermost } from '../../../../test/bots/mattermost/alice.ts';
import {
  startDiscordProcess,
  startMattermostProcess,
  startSlackProcess,
} from '../../../../test/bots/processes.ts';
import { aliceIn as aliceInSlack } from '../../../../test/bots/slack/alice.ts';
import type { PushEntries } from '../../../../test/bots/staging.ts';
import type { Appearance } from '../../../standins/shared/timeline.ts';

export const secret = 'tulip & <daffodil> "42" 🌷';

/** A message as somebody reads it, in every chat alike. */
export type Message = {
  text: string;
  isPrivate: boolean;
  buttons: string[];
  urlOf(label: string): unknown;
  press(label: string): Promise<unknown> & { message(): Promise<Message>; modal(): Promise<Form> };
  becomes(what: RegExp): Promise<unknown>;
};
type Form = { fill(entries: Record<string, unknown>): { submit(): Promise<unknown> } };

/** A chat, and the built service as its app. */
export type StoryStage = {
  service: { port: number; output: string };
  /** Kills the process, and starts another. */
  restart(): Promise<void>;
  alice: {
    pushes(entries: PushEntries): Promise<Message>;
    burns(answer: Message): Promise<void>;
    nudges(): Promise<string>;
    asks(names: string[], reason: string): Promise<Message>;
  };
  /** The next direct message to somebody. */
  nextDm(name: string): Promise<Message>;
  /** Alice shares a push in a channel. Gives the message as a member sees it. */
  shares(entries: PushEntries): Promise<(name: string) => Message>;
  /** Refuses the next messages of the app, for as many seconds each. */
  limitsRate(times: number, retryAfterSeconds: number): void;
  timeline(): Appearance[];
  /** Waits for a value. */
  until<T>(what: string, find: () => T | undefined): Promise<T>;
  /** Throws with every complaint about the app, and every leak of the secret. */
  verify(): void;
  stop(): Promise<void>;
};

type Settings = Record<string, string>;

const patient = { ackLimitMs: 300_000 };

async function startSlackStage(mode: 'http' | 'socket', settings: Settings): Promise<StoryStage> {
  const limits = { ...patient, triggerLifeMs: 300_000, onePerSecond: true };
  const { slack, service, restart, stop } = await startSlackProcess(mode, settings, limits);
  const alice = aliceInSlack(slack, secret);
  return {
    service,
    restart,
    stop,
    alice,
    async shares(entries) {
      const shared = await (await alice.pushes(entries)).press('Share in this channel').message();
      return (name) => slack.user(name).sees(shared);
    },
    nextDm: (name) => slack.user(name).dms.next(),
    limitsRate: (times, retryAfterSeconds) =>
      slack.disturb('chat.postMessage', { retryAfterSeconds }, { times }),
    timeline: slack.timeline,
    until: slack.until,
    verify: () => slack.verify({ secrets: [secret], logs: [service.output] }),
  };
}

async function startDiscordStage(mode: 'http' | 'gateway', settings: Settings): Promise<StoryStage> {
  const { discord, service, restart, stop } = await startDiscordProcess(mode, settings, patient);
  discord.limit('create_message', { limit: 5, perMs: 5_000 });
  const alice = aliceInDiscord(discord, secret);
  return {
    service,
    restart,
    stop,
    alice,
    async shares(entries) {
      const shared = await (await alice.pushes(entries)).press('Share in this channel').message();
      return (name) => discord.user(name).sees(shared);
    },
    nextDm: (name) => discord.user(name).dms.next(),
    limitsRate: (times, retryAfterSeconds) =>
      discord.disturb('create_message', { retryAfterSeconds }, { times }),
    timeline: discord.timeline,
    until: discord.until,
    verify: () => discord.verify({ secrets: [secret], logs: [service.output], quiet: true, complete: true }),
  };
}

async function startMattermostStage(settings: Settings): Promise<StoryStage> {
  const limits = { triggerLifeMs: 300_000 };
  const { mattermost, service, restart, stop } = await startMattermostProcess(settings, limits);
  const { burns, ...alice } = aliceInMattermost(mattermost, secret);
  return {
    service,
    restart,
    stop,
    alice: { ...alice, burns: (answer) => burns(answer as Awaited<ReturnType<typeof alice.pushes>>) },
    async shares(entries) {
      const shared = await (await alice.pushes(entries)).press('Share in this channel').message();
      return (name) => mattermost.user(name).sees(shared);
    },
    async nextDm(name) {
      for (;;) {
        const message = await mattermost.user(name).dms.next();
        if (!/^Here is your link/.test(message.text)) return message; // which answers a button in the channel
      }
    },
    limitsRate: (times, retryAfterSeconds) =>
      mattermost.disturb('CreatePost', { retryAfterSeconds }, { times }),
    timeline: mattermost.timeline,
    until: mattermost.until,
    verify: () => mattermost.verify({ secrets: [secret], logs: [service.output] }),
  };
}

/** A stage for each connection that a chat offers. */
export const stages: Record<string, (settings: Settings) => Promise<StoryStage>> = {
  'Slack over HTTP': (settings) => startSlackStage('http', settings),
  'Slack over Socket Mode': (settings) => startSlackStage('socket', settings),
  'Discord over HTTP': (settings) => startDiscordStage('http', settings),
  'Discord over the gateway': (settings) => startDiscordStage('gateway', settings),
  Mattermost: startMattermostStage,
};
