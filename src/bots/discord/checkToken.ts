import { type APIApplication, DiscordAPIError, REST, Routes } from 'discord.js';
import type { TokenCheck } from '../chatModule.ts';
import { restOptions } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

/** Asks Discord whether it accepts the bot token, and whether the application and its public key are the token's. */
export async function checkDiscordToken(settings: DiscordSettings): Promise<TokenCheck[]> {
  const { token, applicationId, publicKey } = settings;
  try {
    const rest = new REST(restOptions(settings)).setToken(token);
    const { id, verify_key } = (await rest.get(Routes.currentApplication())) as APIApplication;
    const checks: TokenCheck[] = [{ setting: 'DISCORD_TOKEN', result: 'accepted' }];
    if (id !== applicationId)
      checks.push({ setting: 'DISCORD_APPLICATION_ID', result: 'refused', reason: `the token is of ${id}` });
    if (publicKey !== undefined && publicKey.toLowerCase() !== verify_key)
      checks.push({
        setting: 'DISCORD_PUBLIC_KEY',
        result: 'refused',
        reason: 'the application has another',
      });
    return checks;
  } catch (error) {
    const setting = 'DISCORD_TOKEN';
    const { name, code } = error as NodeJS.ErrnoException;
    if (!(error instanceof DiscordAPIError))
      return [{ setting, result: 'unreachable', reason: code ?? name }];
    const result = [401, 403].includes(error.status) ? 'refused' : 'unreachable';
    return [{ setting, result, reason: `status ${error.status}` }];
  }
}
