import type { ChatModule } from '../chatModule.ts';
import { slackShape } from './settings.ts';

/** Slack, as the rest of hushpush knows it. */
export const slack = {
  settings: slackShape,
  credentials: [
    ...(['SLACK_SIGNING_SECRET', 'SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'] as const),
    ...(['SLACK_APP_TOKEN', 'SLACK_BOT_TOKEN'] as const),
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
    const settings = { ...config, baseUrl };
    return {
      receives: settings.SLACK_MODE,
      alternative: 'SLACK_MODE=socket',
      open: async (dependencies) => (await import('./slack.ts')).createSlack({ settings, ...dependencies }),
      check: async () => (await import('./restClient.ts')).checkSlackTokens(settings),
    };
  },
} satisfies ChatModule<typeof slackShape>;
