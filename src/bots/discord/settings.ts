import { z } from 'zod';
import { httpUrl, secretSetting } from '../../config/values.ts';
import type { MissingSetting, SettingsOf } from '../chatModule.ts';

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

type Config = SettingsOf<typeof discordShape>;

const credentials = ['DISCORD_TOKEN', 'DISCORD_APPLICATION_ID', 'DISCORD_PUBLIC_KEY'] as const;

/** The credentials that Discord needs besides those that are set. */
export function missingForDiscord(config: Config): MissingSetting[] {
  if (credentials.every((name) => config[name] === undefined)) return [];
  const required: [name: (typeof credentials)[number], reason: string][] = [
    ['DISCORD_TOKEN', ''],
    ['DISCORD_APPLICATION_ID', ''],
  ];
  if (config.DISCORD_MODE === 'http') required.push(['DISCORD_PUBLIC_KEY', ' when DISCORD_MODE is http']);
  return required
    .filter(([name]) => config[name] === undefined)
    .map(([name, reason]) => ({ name, problem: `must be set for Discord${reason}` }));
}

/** How to reach Discord, and as which application. */
export type DiscordSettings = {
  /** We connect to Discord's gateway, or Discord posts to `/discord/interactions`. */
  mode: 'gateway' | 'http';
  token: string;
  applicationId: string;
  /** Verifies interactions over HTTP; in hexadecimal. */
  publicKey: string | undefined;
  apiUrl: string;
};

/** Undefined if Discord is off. */
export function discordSettings(config: Config): DiscordSettings | undefined {
  const { DISCORD_TOKEN: token, DISCORD_APPLICATION_ID: applicationId } = config;
  if (token === undefined || applicationId === undefined) return undefined;
  return {
    mode: config.DISCORD_MODE,
    token,
    applicationId,
    publicKey: config.DISCORD_PUBLIC_KEY,
    apiUrl: config.DISCORD_API_URL,
  };
}
