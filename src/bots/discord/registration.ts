import { createHash } from 'node:crypto';
import type { Domain } from '../../domain/index.ts';
import { commandDefinitions } from './commandDefinitions.ts';
import type { DiscordRest } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

type Dependencies = {
  rest: DiscordRest;
  settings: DiscordSettings;
  chat: Pick<Domain['chat'], 'commandRegistrations'>;
};

/** Registers the commands at Discord, which allows some such calls a day. Changes show at once. */
export function createRegistration({ rest, settings: { applicationId }, chat }: Dependencies) {
  const hash = createHash('sha256')
    .update(JSON.stringify([applicationId, commandDefinitions]))
    .digest('hex');

  /** Replaces all commands in one call. Resolves to their number. */
  async function register(): Promise<number> {
    await rest.setCommands(commandDefinitions);
    await chat.commandRegistrations.save('discord', hash);
    return commandDefinitions.length;
  }

  /** Registers unless the same definitions were registered before. */
  async function registerIfChanged(): Promise<void> {
    if ((await chat.commandRegistrations.maybeHash('discord')) !== hash) await register();
  }

  return { register, registerIfChanged };
}
