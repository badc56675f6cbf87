import { z } from 'zod';
import { httpUrl, secretSetting } from '../../config/values.ts';
import type { SettingsOf } from '../chatModule.ts';

/** The settings by their names in the environment. */
export const discordShape = {
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
export type DiscordSettings = ReturnType<typeof discordSettings>;

export const discordSettings = (config: SettingsOf<typeof discordShape>) => ({
  /** We connect to Discord's gateway, or Discord posts to `/discord/interactions`. */
  mode: config.DISCORD_MODE,
  token: config.DISCORD_TOKEN ?? '',
  applicationId: config.DISCORD_APPLICATION_ID ?? '',
  /** Verifies interactions over HTTP; in hexadecimal. */
  publicKey: config.DISCORD_PUBLIC_KEY,
  apiUrl: config.DISCORD_API_URL,
});
