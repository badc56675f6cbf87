import { createHash } from 'node:crypto';
import type { Domain } from '../../domain/index.ts';
import { definition } from './definition.ts';
import type { DiscordRest } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

type Dependencies = { rest: DiscordRest; settings: DiscordSettings; chat: Pick<Domain['chat'], 'settings'> };

/** Tells Discord which commands there are. It takes some such calls a day, and shows a change at once. */
export function createRegistration({ rest, settings: { applicationId }, chat: { settings } }: Dependencies) {
  const hash = createHash('sha256')
    .update(JSON.stringify([applicationId, definition]))
    .digest('hex');

  /** Tells Discord, in one call, whatever it knows. */
  async function register(): Promise<number> {
    await rest.setCommands(definition);
    await settings.setForPlatform('discord', { definition: hash });
    return definition.length;
  }

  /** The same, unless it was told of this very definition before. */
  async function registerIfChanged(): Promise<void> {
    const { definition: known } = await settings.ofPlatform('discord');
    if (known !== hash) await register();
  }

  return { register, registerIfChanged };
}
