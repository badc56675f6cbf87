import { z } from 'zod';
import { httpUrl, secretSetting } from '../../config/values.ts';
import type { SettingsOf } from '../chatModule.ts';

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

/** How to reach Discord, and as which application: it posts to `/discord/interactions`, or we connect to its gateway. */
export type DiscordSettings = SettingsOf<typeof discordShape>;
