import { createHash } from 'node:crypto';
import type { Domain } from '../../domain/index.ts';
import { definition } from './definition.ts';
import type { Api } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

type Parts = { api: Api; settings: DiscordSettings; chat: Pick<Domain['chat'], 'settings'> };

/** Tells Discord which commands there are. It takes some such calls a day, and shows a change at once. */
export function createRegistration({ api, settings: { applicationId }, chat: { settings } }: Parts) {
  const hash = createHash('sha256')
    .update(JSON.stringify([applicationId, definition]))
    .digest('hex');

  /** Tells Discord, in one call, whatever it knows. */
  async function register(): Promise<number> {
    await api.setCommands(definition);
    await settings.setPlatform('discord', { definition: hash });
    return definition.length;
  }

  /** The same, unless it was told of this very definition before. */
  async function registerChanges(): Promise<void> {
    const { definition: known } = await settings.ofPlatform('discord');
    if (known !== hash) await register();
  }

  return { register, registerChanges };
}
