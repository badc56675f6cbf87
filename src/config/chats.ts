const discordCredentials = ['DISCORD_TOKEN', 'DISCORD_APPLICATION_ID', 'DISCORD_PUBLIC_KEY'] as const;

const slackCredentials = [
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_BOT_TOKEN',
] as const;

type DiscordCredential = (typeof discordCredentials)[number];
type SlackCredential = (typeof slackCredentials)[number];
type Settings<Name extends string> = { [Each in Name]?: string | undefined };
type Missing = { name: string; problem: string };

/** A chat is off while none of its credentials is set. */
export function isSlackOff(config: Settings<SlackCredential>): boolean {
  return slackCredentials.every((name) => config[name] === undefined);
}

export function isDiscordOff(config: Settings<DiscordCredential>): boolean {
  return discordCredentials.every((name) => config[name] === undefined);
}

/** The credentials that Slack needs besides those that are set. */
export function missingForSlack(config: Settings<SlackCredential | 'SLACK_MODE'>): Missing[] {
  if (isSlackOff(config)) return [];
  const required: [name: SlackCredential, reason: string][] = [
    config.SLACK_MODE === 'socket'
      ? ['SLACK_APP_TOKEN', 'when SLACK_MODE is socket']
      : ['SLACK_SIGNING_SECRET', 'when SLACK_MODE is http'],
  ];
  if (config.SLACK_BOT_TOKEN === undefined) {
    required.push(['SLACK_CLIENT_ID', 'unless SLACK_BOT_TOKEN is']);
    required.push(['SLACK_CLIENT_SECRET', 'unless SLACK_BOT_TOKEN is']);
  }
  return required
    .filter(([name]) => config[name] === undefined)
    .map(([name, reason]) => ({ name, problem: `must be set for Slack ${reason}` }));
}

/** The credentials that Discord needs besides those that are set. */
export function missingForDiscord(config: Settings<DiscordCredential | 'DISCORD_MODE'>): Missing[] {
  if (isDiscordOff(config)) return [];
  const required: [name: DiscordCredential, reason: string][] = [
    ['DISCORD_TOKEN', ''],
    ['DISCORD_APPLICATION_ID', ''],
  ];
  if (config.DISCORD_MODE === 'http') required.push(['DISCORD_PUBLIC_KEY', ' when DISCORD_MODE is http']);
  return required
    .filter(([name]) => config[name] === undefined)
    .map(([name, reason]) => ({ name, problem: `must be set for Discord${reason}` }));
}
