import type { ChatModule } from '../chatModule.ts';
import { discordShape } from './settings.ts';

/** Discord, as the rest of hushpush knows it. */
export const discord = {
  settings: discordShape,
  credentials: ['DISCORD_TOKEN', 'DISCORD_APPLICATION_ID', 'DISCORD_PUBLIC_KEY'],
  required: ({ DISCORD_MODE: mode }) => ({
    DISCORD_TOKEN: '',
    DISCORD_APPLICATION_ID: '',
    ...(mode === 'http' && { DISCORD_PUBLIC_KEY: 'when DISCORD_MODE is http' }),
  }),
  of: (settings) => ({
    receives: settings.DISCORD_MODE === 'http' ? 'http' : 'socket',
    alternative: 'DISCORD_MODE=gateway',
    open: async (dependencies) => (await import('./discord.ts')).createDiscord({ settings, ...dependencies }),
    check: async () => (await import('./restClient.ts')).checkDiscordToken(settings),
  }),
} satisfies ChatModule<typeof discordShape>;
