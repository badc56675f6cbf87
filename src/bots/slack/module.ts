import type { ChatModule } from '../chatModule.ts';
import { missingForSlack, slackSettings, slackShape } from './settings.ts';

/** Slack, as the rest of hushpush knows it. */
export const slack = {
  settings: slackShape,
  missing: missingForSlack,
  maybeOn(config, baseUrl) {
    const settings = slackSettings(config, baseUrl);
    return (
      settings && {
        platform: 'slack',
        receives: settings.mode,
        alternative: 'SLACK_MODE=socket',
        open: async (dependencies) => (await import('./slack.ts')).createSlack({ settings, ...dependencies }),
        check: async () => (await import('./checkTokens.ts')).checkSlackTokens(settings),
      }
    );
  },
} satisfies ChatModule<typeof slackShape>;
