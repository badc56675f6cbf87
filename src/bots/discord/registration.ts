import { createHash } from 'node:crypto';
import type { Domain } from '../../domain/index.ts';
import { definition } from './definition.ts';
import type { DiscordRest } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

type Dependencies = {
  rest: DiscordRest;
  settings: DiscordSettings;
  chat: Pick<Domain['chat'], 'commandRegistrations'>;
};

/** Tells Discord which commands there are. It takes some such calls a day, and shows a change at once. */
export function createRegistration({ rest, settings: { applicationId }, chat }: Dependencies) {
  const hash = createHash('sha256')
    .update(JSON.stringify([applicationId, definition]))
    .digest('hex');

  /** Tells Discord, in one call, whatever it knows. */
  async function register(): Promise<number> {
    await rest.setCommands(definition);
    await chat.commandRegistrations.save('discord', hash);
    return definition.length;
  }

  /** The same, unless it was told of this very definition before. */
  async function registerIfChanged(): Promise<void> {
    if ((await chat.commandRegistrations.maybeHash('discord')) !== hash) await register();
  }

  return { register, registerIfChanged };
}
