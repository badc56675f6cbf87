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
  credentials: ['MATTERMOST_URL', 'MATTERMOST_TOKEN', 'MATTERMOST_COMMAND_TOKENS'],
  required: () => ({ MATTERMOST_URL: '', MATTERMOST_TOKEN: '', MATTERMOST_COMMAND_TOKENS: '' }),
  of({ MATTERMOST_URL: url = '', MATTERMOST_TOKEN: token = '', MATTERMOST_COMMAND_TOKENS: tokens }, baseUrl) {
    const settings = { url, token, commandTokens: tokens?.split(/\s*,\s*/) ?? [], baseUrl };
    return {
      receives: 'http',
      open: async (dependencies) =>
        (await import('./mattermost.ts')).createMattermost({ settings, ...dependencies }),
      check: async () => [await (await import('./api.ts')).checkMattermostToken(url, token)],
    };
  },
} satisfies ChatModule<typeof shape>;
