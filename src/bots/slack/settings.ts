import { z } from 'zod';
import { flagSetting, httpUrl, secretSetting } from '../../config/values.ts';
import type { SettingsOf } from '../chatModule.ts';

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

/** How to reach Slack, and as which app. */
export type SlackSettings = ReturnType<typeof slackSettings>;

export const slackSettings = (config: SettingsOf<typeof slackShape>, baseUrl: string) => ({
  baseUrl,
  /** Slack posts to `/slack/events`, or we connect to it by Socket Mode. */
  mode: config.SLACK_MODE,
  signingSecret: config.SLACK_SIGNING_SECRET,
  clientId: config.SLACK_CLIENT_ID,
  clientSecret: config.SLACK_CLIENT_SECRET,
  appToken: config.SLACK_APP_TOKEN,
  /** The token of a single workspace; without it, any workspace can install the app. */
  botToken: config.SLACK_BOT_TOKEN,
  /** Whether files can be pushed, and user groups be recipients, where the scope for it was granted. */
  readsFiles: config.SLACK_FILES,
  readsUserGroups: config.SLACK_USER_GROUPS,
  apiUrl: config.SLACK_API_URL,
  authorizeUrl: config.SLACK_AUTHORIZE_URL,
});

/** What lets us fetch the files of messages and forms. */
export const filesScope = 'files:read';

/** The scopes of the app: commands, direct messages, and who is an admin. */
export const scopesOf = ({ readsFiles, readsUserGroups }: SlackSettings): string[] => [
  ...['commands', 'chat:write', 'users:read'],
  ...(readsFiles ? [filesScope] : []),
  ...(readsUserGroups ? ['usergroups:read'] : []),
];
