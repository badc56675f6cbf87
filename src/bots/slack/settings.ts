import { z } from 'zod';
import { flagSetting, httpUrl, secretSetting } from '../../config/values.ts';
import type { SettingsOf } from '../chatModule.ts';

export const slackShape = {
  SLACK_MODE: z.enum(['http', 'socket'], 'must be http or socket').default('http'),
  SLACK_SIGNING_SECRET: secretSetting(),
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: secretSetting(),
  SLACK_APP_TOKEN: secretSetting(z.string().startsWith('xapp-', 'must begin with xapp-')),
  /** That of a single workspace; without it, any workspace can install the app. */
  SLACK_BOT_TOKEN: secretSetting(z.string().startsWith('xoxb-', 'must begin with xoxb-')),
  /** Whether files can be pushed, and user groups be recipients, where the scope for it was granted. */
  SLACK_FILES: flagSetting(false),
  SLACK_USER_GROUPS: flagSetting(false),
  SLACK_API_URL: httpUrl.default('https://slack.com/api/'),
  SLACK_AUTHORIZE_URL: httpUrl.default('https://slack.com/oauth/v2/authorize'),
};

/** How to reach Slack, and as which app: it posts to `/slack/events`, or we connect to it by Socket Mode. */
export type SlackSettings = SettingsOf<typeof slackShape> & { baseUrl: string };
