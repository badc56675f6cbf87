import type { ChatModule } from '../chatModule.ts';
import { discordSettings, discordShape, missingForDiscord } from './settings.ts';

/** Discord, as the rest of hushpush knows it. */
export const discord = {
  settings: discordShape,
  missing: missingForDiscord,
  maybeOn(config) {
    const settings = discordSettings(config);
    return (
      settings && {
        platform: 'discord',
        receives: settings.mode === 'http' ? 'http' : 'socket',
        alternative: 'DISCORD_MODE=gateway',
        open: async (dependencies) =>
          (await import('./discord.ts')).createDiscord({ settings, ...dependencies }),
        check: async () => (await import('./checkToken.ts')).checkDiscordToken(settings),
      }
    );
  },
} satisfies ChatModule<typeof discordShape>;
