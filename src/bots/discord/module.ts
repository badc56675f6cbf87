import { z } from 'zod';
import { httpUrl, secretSetting } from '../../config/values.ts';
import type { ChatModule, SettingsOf } from '../chatModule.ts';

const shape = {
  DISCORD_MODE: z.enum(['gateway', 'http'], 'must be gateway or http').default('gateway'),
  DISCORD_TOKEN: secretSetting(z.string().regex(/^\S+$/, 'must have no spaces')),
  DISCORD_APPLICATION_ID: z
    .string()
    .regex(/^\d{17,20}$/, 'must have 17 to 20 digits')
    .optional(),
  DISCORD_PUBLIC_KEY: z
    .string()
    .regex(/^[\da-f]{64}$/i, 'must have 64 hexadecimal digits')
    .optional(),
  DISCORD_API_URL: httpUrl.default('https://discord.com/api'),
};

/** How to reach Discord, and as which application. */
export type DiscordSettings = ReturnType<typeof settingsOf>;

const settingsOf = (config: SettingsOf<typeof shape>) => ({
  /** We connect to Discord's gateway, or Discord posts to `/discord/interactions`. */
  mode: config.DISCORD_MODE,
  token: config.DISCORD_TOKEN ?? '',
  applicationId: config.DISCORD_APPLICATION_ID ?? '',
  /** Verifies interactions over HTTP; in hexadecimal. */
  publicKey: config.DISCORD_PUBLIC_KEY,
  apiUrl: config.DISCORD_API_URL,
});

/** Discord, as the rest of hushpush knows it. */
export const discord = {
  settings: shape,
  credentials: ['DISCORD_TOKEN', 'DISCORD_APPLICATION_ID', 'DISCORD_PUBLIC_KEY'],
  required: ({ DISCORD_MODE: mode }) => ({
    DISCORD_TOKEN: '',
    DISCORD_APPLICATION_ID: '',
    ...(mode === 'http' && { DISCORD_PUBLIC_KEY: 'when DISCORD_MODE is http' }),
  }),
  of(config) {
    const settings = settingsOf(config);
    return {
      receives: settings.mode === 'http' ? 'http' : 'socket',
      alternative: 'DISCORD_MODE=gateway',
      open: async (dependencies) =>
        (await import('./discord.ts')).createDiscord({ settings, ...dependencies }),
      check: async () => (await import('./checkToken.ts')).checkDiscordToken(settings),
    };
  },
} satisfies ChatModule<typeof shape>;
