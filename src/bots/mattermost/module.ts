import { z } from 'zod';
import { httpUrl, secretSetting } from '../../config/values.ts';
import type { ChatModule } from '../chatModule.ts';

const shape = {
  MATTERMOST_URL: httpUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  MATTERMOST_TOKEN: secretSetting(z.string().regex(/^\S+$/, 'must have no spaces')),
  MATTERMOST_COMMAND_TOKENS: secretSetting(
    z.string().regex(/^\w+(\s*,\s*\w+)*$/, 'must be tokens, with commas between them'),
  ),
};

/** Mattermost, as the rest of hushpush knows it. */
export const mattermost = {
  settings: shape,
  missing(config) {
    const names = Object.keys(shape) as (keyof typeof shape)[];
    const absent = names.filter((name) => config[name] === undefined);
    return absent.length === names.length
      ? []
      : absent.map((name) => ({ name, problem: 'must be set for Mattermost' }));
  },
  maybeOn(config, baseUrl) {
    const { MATTERMOST_URL: url, MATTERMOST_TOKEN: token, MATTERMOST_COMMAND_TOKENS: tokens } = config;
    if (url === undefined || token === undefined || tokens === undefined) return undefined;
    const settings = { url, token, commandTokens: tokens.split(/\s*,\s*/), baseUrl };
    return {
      platform: 'mattermost',
      receives: 'http',
      open: async (dependencies) =>
        (await import('./mattermost.ts')).createMattermost({ settings, ...dependencies }),
      check: async () => (await import('./api.ts')).checkMattermostToken(settings),
    };
  },
} satisfies ChatModule<typeof shape>;
