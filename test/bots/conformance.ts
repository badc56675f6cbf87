import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDiscord } from '../../tools/standins/discord/discord.ts';
import { startSlack } from '../../tools/standins/slack/slack.ts';
import type { TestService } from '../harness/service.ts';
import { type Message, type Person, secret } from './chats.ts';
import { aliceIn as aliceInDiscord } from './discord/alice.ts';
import { environmentOf as environmentOfDiscord, startStage as startDiscordStage } from './discord/stage.ts';
import { aliceIn as aliceInMattermost } from './mattermost/alice.ts';
import { startStage as startMattermostStage } from './mattermost/stage.ts';
import { aliceIn as aliceInSlack } from './slack/alice.ts';
import { environmentOf as environmentOfSlack, startStage as startSlackStage } from './slack/stage.ts';
import type { PushEntries } from './staging.ts';

/** How a request deviates from what the chat would send. */
export const manners = {
  'with a wrong signature': { forged: 'wrong' },
  'without a signature': { forged: 'absent' },
  'signed too long ago': { skewSeconds: -302 },
  'signed in the future': { skewSeconds: 302 },
} as const;

type Manner = (typeof manners)[keyof typeof manners];

/** Whether a chat signs its requests: elsewhere a token and what it gives back stand in for that, which have no age. */
const unsigned = (['with a wrong signature', 'without a signature'] as const).map((each) => manners[each]);

/** What somebody is in the workspace. */
type Role = 'manager' | 'member' | 'guest' | 'stranger';

/** The open rules of the workspace. Each resolves to what the user is told. */
type OpenRules = {
  save(rules: string[]): Promise<string>;
  /** Exports the activity. */
  exports(): Promise<string>;
};

/** A chat with all that the kit needs. Whoever adds an adapter adds one of these. */
export type Subject = {
  service: TestService;
  url: string;
  opens(link: string): Promise<{ body: { payload?: unknown } }>;
  deliver(): Promise<unknown>;
  stop(secrets: string[]): Promise<void>;
  /** Sends a body to the endpoint that the chat posts to, unsigned. */
  send(body: Buffer | string): Promise<{ status: number }>;
  user(name: string, options?: { role?: Role; locale?: string }): Person;
  /** Opens a connection, sends the beginning of a body, and closes it. */
  cutsOff(): Promise<void>;
  /** Takes the right to manage the workspace from somebody. */
  demotes(name: string): void;
  /** Alice fills in the form of a push, by default one called “VPN”, and reads the answer. */
  pushes(entries?: PushEntries): Promise<Message>;
  /** Alice creates a request link by a form, and reads the answer. */
  asksByLink(title: string, entries: Record<string, string>): Promise<Message>;
  /** Alice's list of links. */
  lists(): Promise<Message>;
  /** How requests of this chat can deviate, if not in every manner. */
  manners?: readonly Manner[];
  /** Sends interactions as somebody else would, also presses of an answer's buttons, and returns their statuses. */
  forges(manner: Manner, answer: Message): Promise<(number | undefined)[]>;
  /** Submits a push, and delivers the same request some more times. */
  repeats(times: number): Promise<void>;
  /** Pushes a text in whatever takes it at once. */
  pushesText(text: string): Promise<Message>;
  /** What a user is told who creates a push. `directly`: in their conversation with the bot. */
  tries(name: string, options?: { to?: string[]; directly?: boolean }): Promise<string>;
  /** Opens the rules; undefined for somebody who gets none. */
  rules(name: string): Promise<OpenRules | undefined>;
  /** Burns by one press of a button, without any confirmation that the chat gives by itself. */
  pressesOnce(answer: Message): Promise<unknown>;
  /** Shares a push in the channel. Resolves to it as another user sees it. */
  shares(answer: Message, reader: string): Promise<Message>;
  /** A name of a push that would be markup, and whether a message shows it as that. */
  hostileName: string;
  isTaken(message: Message): boolean;
  /** Whether a message notifies anybody by a mention, or loads the links in it for previews. */
  isLoud(message: Message): boolean;
  closesDms(name: string): void;
  /** What Alice is told when a message did not reach somebody. */
  toldUnreachable(): Promise<string>;
  /** Lets the next direct message fail. */
  disturbs(fault: 'rate limit' | 'error'): void;
  /** Whether the rules of a workspace bind in direct messages with the bot too. */
  rulesBindInDms: boolean;
};

async function startSlackSubject(environment = {}): Promise<Subject> {
  const stage = await startSlackStage({ environment });
  const { slack, client } = stage;
  const roles = { manager: { isAdmin: true }, member: {}, guest: { isGuest: true } };
  const elsewhere = slack.addTeam('Elsewhere');
  const strangers = new Set<string>();
  const personOf = (name: string) => slack.user(name, strangers.has(name) ? { team: elsewhere } : {});
  return {
    ...stage,
    send: (body) =>
      client.send('POST', '/slack/events', { body, headers: { 'content-type': 'application/json' } }),
    user(name, { role = 'member', locale } = {}) {
      if (role !== 'stranger') return slack.user(name, { ...roles[role], ...(locale && { locale }) });
      strangers.add(name);
      return personOf(name);
    },
    cutsOff: () => cutOff(`${stage.url}/slack/events`),
    demotes: (name) => void Object.assign(slack.user(name).user, { isAdmin: false }),
    pushes: aliceInSlack(slack, secret).pushes,
    asksByLink: aliceInSlack(slack, secret).asksByLink,
    lists: () => slack.user('alice').runs('/push list').message(),
    pushesText: (text) => slack.user('alice').runs(`/push ${text}`).message(),
    async forges(manner, answer) {
      const [alice, event] = [slack.user('alice'), { type: 'app_home_opened', tab: 'home' }];
      const acks = [
        await alice.runs(`/push ${secret}`, { manner }),
        await alice.runs('/push', { manner }),
        await slack.emits({ ...event, user: alice.id }, { manner }),
        await (answer as SlackMessage).press('Burn now', { manner }),
      ];
      return acks.map(({ status }) => status);
    },
    async repeats(times) {
      const form = await slack.user('alice').runs('/push').modal();
      const submission = form.fill({ Secret: secret }).submit();
      await submission.message();
      for (let each = 0; each < times; each++) await submission.again();
    },
    async tries(name, { to = [] } = {}) {
      const form = await slack.user(name).runs('/push').modal();
      form.fill({ Secret: secret });
      if (to.length > 0) form.fill({ Recipients: to.map(personOf) });
      const submission = form.submit();
      await submission;
      const refusal = Object.values(form.errors).join('\n');
      return refusal === '' ? (await submission.message()).text : refusal;
    },
    async rules(name) {
      const form = await slack.user(name).runs('/push settings').modal();
      await slack.until('the settings', () => (form.labels.length > 1 ? true : undefined));
      if (!form.labels.includes('Rules')) return undefined;
      return {
        async save(Rules) {
          await form.fill({ Rules }).submit();
          return Object.values(form.errors).join('\n') || 'The settings are saved.';
        },
        async exports() {
          const shown = await form.press('Export activity').modal();
          await shown.becomes(/once|manage/);
          return shown.text;
        },
      };
    },
    async pressesOnce(answer) {
      if ((answer as SlackMessage).questionOf('Burn now') !== undefined) return; // the press asks, and does nothing yet
      await answer.press('Burn now');
      await (answer as SlackMessage).becomes(/burned/);
    },
    shares: async (answer, reader) =>
      slack.user(reader).sees(await (answer as SlackMessage).press('Share in this channel').message()),
    hostileName: '<!channel> <http://y.test|x> *b* & `c`',
    isTaken: (message) =>
      /<!channel>|<http:\/\/y\.test/.test(
        JSON.stringify((message as SlackMessage).blocks, withoutSpokenLabels),
      ),
    isLoud: (message) => (message as SlackMessage).isUnfurled,
    closesDms: () => slack.disturb('chat.postMessage', { error: 'messages_tab_disabled' }),
    toldUnreachable: async () => (await (await slack.user('alice').dms.next()).reply(/do not reach/)).text,
    disturbs: (fault) =>
      slack.disturb('chat.postMessage', fault === 'error' ? { status: 500 } : { retryAfterSeconds: 1 }),
    rulesBindInDms: true,
  };
}

type SlackMessage = Awaited<ReturnType<ReturnType<typeof aliceInSlack>['pushes']>>;
type DiscordMessage = Awaited<ReturnType<ReturnType<typeof aliceInDiscord>['pushes']>>;

async function startDiscordSubject(environment = {}): Promise<Subject> {
  const stage = await startDiscordStage({ environment });
  const { discord, client } = stage;
  discord.user('alice', { role: 'member' });
  return {
    ...stage,
    send: (body) => client.send('POST', '/discord/interactions', { body }),
    user: (name, { role = 'member', locale } = {}) =>
      discord.user(name, role === 'stranger' ? { guilds: [] } : { role, ...(locale && { locale }) }),
    async pushesText(text) {
      const form = await discord.user('alice').runs('/push').modal();
      return form.fill({ Secret: text }).submit().message();
    },
    cutsOff: () => cutOff(`${stage.url}/discord/interactions`),
    demotes: (name) => void Object.assign(discord.user(name).user, { role: 'member' }),
    pushes: aliceInDiscord(discord, secret).pushes,
    asksByLink: aliceInDiscord(discord, secret).asksByLink,
    lists: () => discord.user('alice').runs('/pushes list').message(),
    async forges(manner, answer) {
      const alice = discord.user('alice');
      const form = await alice.runs('/push').modal();
      const acks = [
        await alice.runs('/push', {}, { manner }),
        await alice.runs('/pushes list', {}, { manner }),
        await form.fill({ Secret: secret }).submit({ manner }),
        await discord.pings(manner),
        await (answer as DiscordMessage).press('Burn now', { manner }),
      ];
      return acks.map(({ status }) => status);
    },
    async repeats(times) {
      const form = await discord.user('alice').runs('/push').modal();
      const submission = form.fill({ Secret: secret }).submit();
      await submission.message();
      for (let each = 0; each < times; each++) await submission.again();
    },
    async tries(name, { to = [], directly = false } = {}) {
      const person = discord.user(name);
      const form = await person.runs('/push', {}, directly ? { in: person.botDm } : {}).modal();
      form.fill({ Secret: secret });
      if (to.length > 0) form.fill({ Recipients: to.map((each) => discord.user(each)) });
      return (await form.submit().message()).text;
    },
    async rules(name) {
      const person = discord.user(name);
      const pending = person.runs('/pushes settings');
      await pending;
      if (person.modal !== undefined) return undefined;
      const which = await pending.message();
      const exports = async () => (await which.press('Export activity').message()).text;
      const form = await which.press('Server rules').modal();
      return { exports, save: async (Rules) => (await form.fill({ Rules }).submit().message()).text };
    },
    pressesOnce: (answer) => answer.press('Burn now'),
    shares: async (answer, reader) =>
      discord.user(reader).sees(await (answer as DiscordMessage).press('Share in this channel').message()),
    hostileName: '@everyone [x](http://y.test) *b*',
    isTaken(message) {
      const { content } = (message as DiscordMessage).sent;
      return /(?<!\\)\[x|@everyone|(?<!\\)\*b/.test(content);
    },
    isLoud(message) {
      const { isUnfurled, mentions } = message as DiscordMessage;
      return isUnfurled || mentions.length > 0;
    },
    closesDms: (name) => discord.user(name).closesDms(),
    async toldUnreachable() {
      await discord.user('alice').dms.next();
      return (await discord.user('alice').dms.next()).text;
    },
    disturbs: (fault) =>
      discord.disturb('create_message', fault === 'error' ? { status: 500 } : { retryAfterSeconds: 1 }),
    rulesBindInDms: false,
  };
}

async function startMattermostSubject(environment = {}): Promise<Subject> {
  const stage = await startMattermostStage({ environment });
  const { mattermost, client } = stage;
  const roles = { manager: 'admin', member: 'member', guest: 'guest' } as const;
  const post = (path: string, body: object) =>
    client.send('POST', `/mattermost/${path}`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  return {
    ...stage,
    send: (body) => client.send('POST', '/mattermost/actions', { body }),
    user(name, { role = 'member', locale } = {}) {
      const person = mattermost.user(name, {
        ...(role !== 'stranger' && { role: roles[role] }),
        ...(locale && { locale }),
      });
      if (role === 'stranger') mattermost.team.members.delete(person.user);
      return person;
    },
    pushesText: (text) => mattermost.user('alice').runs(`/push ${text}`).message(),
    cutsOff: () => cutOff(`${stage.url}/mattermost/dialogs`),
    demotes: (name) => mattermost.makes(mattermost.user(name), 'member'),
    pushes: aliceInMattermost(mattermost, secret).pushes,
    asksByLink: aliceInMattermost(mattermost, secret).asksByLink,
    lists: () => mattermost.user('alice').runs('/push list').message(),
    manners: unsigned,
    async forges(manner, answer) {
      const [alice, bob] = [mattermost.user('alice'), mattermost.user('bob')];
      const form = (await alice.runs('/push').modal()).fill({ Secret: secret });
      const own = String(form.dialog.content.state);
      const wrong = 'forged' in manner && manner.forged === 'wrong';
      const sealed = wrong ? `${own.split('.')[0]}.${'A'.repeat(43)}` : '';
      const acts = [
        alice.runs(`/push ${secret}`, { token: wrong ? 'a'.repeat(26) : '' }),
        form.submit({ state: sealed }),
        form.submit({ user: bob.user }),
        (answer as MattermostMessage).press('Burn now', { sealed }),
        ...[sealed, own].map((each) => post('actions', { user_id: alice.id, context: { sealed: each } })),
      ];
      return (await Promise.all(acts)).map(({ status }) => status);
    },
    async repeats(times) {
      const form = await mattermost.user('alice').runs('/push').modal();
      const submission = form.fill({ Secret: secret }).submit();
      await submission.message();
      for (let each = 0; each < times; each++) await submission.again();
    },
    async tries(name, { to = [], directly = false } = {}) {
      const person = mattermost.user(name);
      const form = await person.runs('/push', directly ? { in: person.botDm } : {}).modal();
      form.fill({ Secret: secret });
      if (to.length > 0) form.fill({ Recipients: to.map((each) => mattermost.user(each)) });
      const submission = form.submit();
      await submission;
      return Object.values(form.errors).join('\n') || (await submission.message()).text;
    },
    async rules(name) {
      const { dialogs } = mattermost.platform.world;
      const before = dialogs.length;
      const asked = mattermost.user(name).runs('/push settings');
      await asked;
      if (dialogs.length > before) return undefined;
      const which = await asked.message();
      const form = await which.press('Team rules').modal();
      return {
        exports: async () => (await which.press('Export activity').message()).text,
        async save(Rules) {
          const submission = form.fill({ Rules }).submit();
          await submission;
          return Object.values(form.errors).join('\n') || (await submission.message()).text;
        },
      };
    },
    pressesOnce: (answer) => answer.press('Burn now'),
    shares: async (answer, reader) =>
      mattermost
        .user(reader)
        .sees(await (answer as MattermostMessage).press('Share in this channel').message()),
    hostileName: '@channel [x](http://y.test) *b* :smile:',
    isTaken: (message) =>
      /(?<!\\)\[x|@channel|(?<!\\)\*b|:\/\/y|:smile:/.test(JSON.stringify(postOf(message))),
    isLoud: (message) =>
      (message as MattermostMessage).isUnfurled || (message as MattermostMessage).mentions.length > 0,
    closesDms: (name) => mattermost.user(name).closesDms(),
    toldUnreachable: async () =>
      (await (await mattermost.user('alice').dms.next()).reply(/do not reach/)).text,
    disturbs: (fault) =>
      mattermost.disturb('CreatePost', fault === 'error' ? { status: 500 } : { retryAfterSeconds: 1 }),
    rulesBindInDms: true,
  };
}

type MattermostMessage = Awaited<ReturnType<ReturnType<typeof aliceInMattermost>['pushes']>>;

/** Leaves out what is read aloud as it is, and is no markup. */
const withoutSpokenLabels = (name: string, value: unknown) =>
  name === 'accessibility_label' ? undefined : value;

/** What people read of a post. */
function postOf(message: Message): string {
  const { message: text, attachments } = (message as MattermostMessage).sent;
  return [text, ...attachments.map((each) => each.text)].join('\n');
}

/** Closes a connection in the middle of a body. */
async function cutOff(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': 1_000 };
  const cut = request(url, { method: 'POST', headers }).on('error', () => {});
  cut.write('{"type":');
  await sleep(50); // so that the adapter reads it
  cut.destroy();
}

/** A chat that is on beside another one: the settings of the service for it, and how many messages its bot has sent. */
export type Neighbour = { environment: Record<string, string>; sent(): number; stop(): Promise<void> };

/** For each adapter, another one. */
export const neighbours: Record<string, () => Promise<Neighbour>> = {
  async Slack() {
    const discord = await startDiscord({ ackLimitMs: 300_000 });
    const environment = environmentOfDiscord(discord, 'http');
    return { environment, sent: () => discord.calls('create_message').length, stop: discord.stop };
  },
  async Mattermost() {
    const slack = await startSlack({ ackLimitMs: 300_000 });
    const environment = environmentOfSlack(slack, 'http');
    return { environment, sent: () => slack.calls().length, stop: slack.stop };
  },
  async Discord() {
    const slack = await startSlack({ ackLimitMs: 300_000 });
    const environment = environmentOfSlack(slack, 'http');
    return { environment, sent: () => slack.calls().length, stop: slack.stop };
  },
};

/** Every adapter that there is. */
export const subjects: Record<string, (environment?: Record<string, string>) => Promise<Subject>> = {
  Slack: startSlackSubject,
  Discord: startDiscordSubject,
  Mattermost: startMattermostSubject,
};
