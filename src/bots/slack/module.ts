import { z } from 'zod';
import { flagSetting, httpUrl, secretSetting } from '../../config/values.ts';
import type { ChatModule, SettingsOf } from '../chatModule.ts';

const shape = {
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
export type SlackSettings = ReturnType<typeof settingsOf>;

const settingsOf = (config: SettingsOf<typeof shape>, baseUrl: string) => ({
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

/** Slack, as the rest of hushpush knows it. */
export const slack = {
  settings: shape,
  credentials: [
    'SLACK_SIGNING_SECRET',
    'SLACK_CLIENT_ID',
    'SLACK_CLIENT_SECRET',
    'SLACK_APP_TOKEN',
    'SLACK_BOT_TOKEN',
  ],
  required: ({ SLACK_MODE: mode, SLACK_BOT_TOKEN: botToken }) => ({
    ...(mode === 'socket'
      ? { SLACK_APP_TOKEN: 'when SLACK_MODE is socket' }
      : { SLACK_SIGNING_SECRET: 'when SLACK_MODE is http' }),
    ...(botToken === undefined && {
      SLACK_CLIENT_ID: 'unless SLACK_BOT_TOKEN is',
      SLACK_CLIENT_SECRET: 'unless SLACK_BOT_TOKEN is',
    }),
  }),
  of(config, baseUrl) {
    const settings = settingsOf(config, baseUrl);
    return {
      receives: settings.mode,
      alternative: 'SLACK_MODE=socket',
      open: async (dependencies) => (await import('./slack.ts')).createSlack({ settings, ...dependencies }),
      check: async () => (await import('./checkTokens.ts')).checkSlackTokens(settings),
    };
  },
} satisfies ChatModule<typeof shape>;
