import { freePort } from '../harness/mariadb.ts';
import { startProcess } from '../harness/process.ts';
import { startDiscord } from '../standins/discord/discord.ts';
import { startSlack } from '../standins/slack/slack.ts';
import { type Mode as DiscordMode, environmentOf as discordEnvironment } from './discord/stage.ts';
import { type Mode as SlackMode, environmentOf as slackEnvironment } from './slack/stage.ts';

type Settings = Record<string, string>;

const ackLimitMs = 3_000; // what Slack and Discord allow

/** Starts a Slack, and the built service as an app that is installed there. */
export async function startSlackProcess(mode: SlackMode, settings: Settings) {
  const slack = await startSlack({ ackLimitMs });
  const { service, url } = await startAt(settings, slackEnvironment(slack, mode));
  slack.app.redirectUrls = [`${url}/slack/oauth_redirect`];
  if (mode === 'http') slack.deliversTo(`${url}/slack/events`);
  else await slack.sockets.connected();
  await slack.user('admin', { isAdmin: true }).adds(`${url}/slack/install`);
  return { slack, service, stop: () => stopBoth(service, slack) };
}

/** Starts a Discord, and the built service as its app. */
export async function startDiscordProcess(mode: DiscordMode, settings: Settings) {
  const discord = await startDiscord({ ackLimitMs });
  const { service, url } = await startAt(settings, discordEnvironment(discord, mode));
  if (mode === 'http') discord.deliversTo(`${url}/discord/interactions`);
  else await discord.gateway.connected();
  await discord.until('the commands', () => discord.calls('bulk_set_application_commands')[0]);
  return { discord, service, stop: () => stopBoth(service, discord) };
}

type Stoppable = { stop(): Promise<unknown> };

async function stopBoth(service: Stoppable, chat: Stoppable): Promise<void> {
  await service.stop();
  await chat.stop();
}

async function startAt(settings: Settings, environment: Settings) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startProcess({ ...settings, ...environment, PORT: String(port), BASE_URL: url });
  return { service, url };
}
