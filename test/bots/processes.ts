import { startDiscord } from '../../tools/standins/discord/discord.ts';
import { startMattermost } from '../../tools/standins/mattermost/mattermost.ts';
import { startSlack } from '../../tools/standins/slack/slack.ts';
import { freePort } from '../harness/mariadb.ts';
import { startProcess } from '../harness/process.ts';
import { programMs, until } from '../harness/until.ts';
import { type Mode as DiscordMode, environmentOf as discordEnvironment } from './discord/stage.ts';
import { environmentOf as mattermostEnvironment } from './mattermost/stage.ts';
import { type Mode as SlackMode, environmentOf as slackEnvironment } from './slack/stage.ts';

type Settings = Record<string, string>;
type SlackSettings = NonNullable<Parameters<typeof startSlack>[0]>;
type DiscordSettings = NonNullable<Parameters<typeof startDiscord>[0]>;

const ackLimitMs = 3_000; // what Slack and Discord allow

/** Starts a Slack, and the built service as an app that is installed there. */
export async function startSlackProcess(mode: SlackMode, settings: Settings, of: SlackSettings = {}) {
  const slack = await startSlack({ ackLimitMs, ...of });
  const service = await startService({ ...settings, ...slackEnvironment(slack, mode) });
  slack.app.redirectUrls = [`${service.url}/slack/oauth_redirect`];
  if (mode === 'http') slack.deliversTo(`${service.url}/slack/events`);
  else await slack.sockets.connected();
  await slack.user('admin', { isAdmin: true }).adds(`${service.url}/slack/install`);

  async function restart(): Promise<void> {
    await service.kill();
    if (mode === 'socket') await until(() => slack.sockets.count() === 0, programMs);
    await service.start();
    if (mode === 'socket') await slack.sockets.connected();
  }

  return { slack, service, restart, stop: () => stopBoth(service, slack) };
}

/** Starts a Discord, and the built service as its app. */
export async function startDiscordProcess(mode: DiscordMode, settings: Settings, of: DiscordSettings = {}) {
  const discord = await startDiscord({ ackLimitMs, ...of });
  const service = await startService({ ...settings, ...discordEnvironment(discord, mode) });
  if (mode === 'http') discord.deliversTo(`${service.url}/discord/interactions`);
  else await discord.gateway.connected();
  await discord.until('the commands', () => discord.calls('bulk_set_application_commands')[0]);

  async function restart(): Promise<void> {
    await service.kill();
    if (mode === 'gateway') await until(() => discord.gateway.live() === 0, programMs);
    await service.start();
    if (mode === 'gateway') await discord.gateway.connected();
  }

  return { discord, service, restart, stop: () => stopBoth(service, discord) };
}

/** Starts a Mattermost, and the built service as its bot. */
export async function startMattermostProcess(
  settings: Settings,
  of: NonNullable<Parameters<typeof startMattermost>[0]> = {},
) {
  const mattermost = await startMattermost(of);
  const service = await startService({ ...settings, ...mattermostEnvironment(mattermost) });
  mattermost.deliversTo(service.url);

  async function restart(): Promise<void> {
    await service.kill();
    await service.start();
  }

  return { mattermost, service, restart, stop: () => stopBoth(service, mattermost) };
}

type Stoppable = { stop(): Promise<unknown> };

async function stopBoth(service: Stoppable, chat: Stoppable): Promise<void> {
  await service.stop();
  await chat.stop();
}

/** A service at an address that stays the same when its process is killed and another one started. */
async function startService(settings: Settings) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const launch = () => startProcess({ ...settings, PORT: String(port), BASE_URL: url });
  let current = await launch();
  let earlierOutput = '';
  return {
    port,
    url,
    get pid() {
      return current.pid;
    },
    /** What all of its processes have written. */
    get output() {
      return earlierOutput + current.output;
    },
    async kill(): Promise<void> {
      await current.kill9();
      earlierOutput += current.output;
    },
    async start(): Promise<void> {
      current = await launch();
    },
    stop: () => current.stop(),
  };
}
