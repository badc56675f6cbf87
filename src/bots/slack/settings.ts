import { z } from 'zod';
import { flagSetting, httpUrl, secretSetting } from '../../config/values.ts';
import type { MissingSetting, SettingsOf } from '../chatModule.ts';

/** The settings by their names in the environment. */
export const slackShape = {
  SLACK_MODE: z.enum(['http', 'socket'], 'must be http or socket').default('http'),
  SLACK_SIGNING_SECRET: secretSetting(),
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: secretSetting(),
  SLACK_APP_TOKEN: secretSetting(z.string().startsWith('xapp-', 'must begin with xapp-')),
  SLACK_BOT_TOKEN: secretSetting(z.string().startsWith('xoxb-', 'must begin with xoxb-')),
  SLACK_FILES: flagSetting(false),
  SLACK_USER_GROUPS: flagSetting(false),
  SLACK_API_URL: httpUrl.default('https://slack.com/api/'),
  SLACK_AUTHORIZE_URL: httpUrl.default('https://slack.com/oauth/v2/authorize'),
};

type Config = SettingsOf<typeof slackShape>;

const credentials = [
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_BOT_TOKEN',
] as const;

const isOff = (config: Config): boolean => credentials.every((name) => config[name] === undefined);

/** The credentials that Slack needs besides those that are set. */
export function missingForSlack(config: Config): MissingSetting[] {
  if (isOff(config)) return [];
  const required: [name: (typeof credentials)[number], reason: string][] = [
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

/** How to reach Slack, and as which app. */
export type SlackSettings = {
  /** Slack posts to `/slack/events`, or we connect to it by Socket Mode. */
  mode: 'http' | 'socket';
  signingSecret: string | undefined;
  clientId: string | undefined;
  clientSecret: string | undefined;
  appToken: string | undefined;
  /** The token of a single workspace; without it, any workspace can install the app. */
  botToken: string | undefined;
  /** Whether files can be pushed, where the scope for it was granted. */
  readsFiles: boolean;
  /** Whether user groups can be recipients, where the scope for it was granted. */
  readsUserGroups: boolean;
  apiUrl: string;
  authorizeUrl: string;
  baseUrl: string;
};

/** Undefined if Slack is off. */
export function slackSettings(config: Config, baseUrl: string): SlackSettings | undefined {
  if (isOff(config)) return undefined;
  return {
    mode: config.SLACK_MODE,
    signingSecret: config.SLACK_SIGNING_SECRET,
    clientId: config.SLACK_CLIENT_ID,
    clientSecret: config.SLACK_CLIENT_SECRET,
    appToken: config.SLACK_APP_TOKEN,
    botToken: config.SLACK_BOT_TOKEN,
    readsFiles: config.SLACK_FILES,
    readsUserGroups: config.SLACK_USER_GROUPS,
    apiUrl: config.SLACK_API_URL,
    authorizeUrl: config.SLACK_AUTHORIZE_URL,
    baseUrl,
  };
}

/** What lets us fetch the files of messages and forms. */
export const filesScope = 'files:read';

/** The scopes of the app: commands, direct messages, and who is an admin. */
export const scopesOf = ({
  readsFiles,
  readsUserGroups,
}: Pick<SlackSettings, 'readsFiles' | 'readsUserGroups'>): string[] => [
  ...['commands', 'chat:write', 'users:read'],
  ...(readsFiles ? [filesScope] : []),
  ...(readsUserGroups ? ['usergroups:read'] : []),
];
