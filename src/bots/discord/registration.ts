import { createHash } from 'node:crypto';
import type { Domain } from '../../domain/index.ts';
import { retry } from '../../retry.ts';
import { commandDefinitions } from './commandDefinitions.ts';
import { InvalidToken, invalidTokenPauseMs } from './errors.ts';
import type { DiscordRest } from './restClient.ts';
import type { DiscordSettings } from './settings.ts';

type Dependencies = {
  rest: DiscordRest;
  settings: DiscordSettings;
  chat: Pick<Domain['chat'], 'commandRegistrations'>;
  onError: (error: unknown) => void;
};

const retryMs = 30_000;

/** Registers the commands at Discord, which allows some such calls a day. Changes show at once. */
export function createRegistration({ rest, settings, chat, onError }: Dependencies) {
  const hash = createHash('sha256')
    .update(JSON.stringify([settings.applicationId, commandDefinitions]))
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

  /** Retries however long Discord or the database are away, until `signal` aborts. */
  async function registerUntilDone(signal: AbortSignal): Promise<void> {
    const delayMs = (_attempt: number, error: unknown) =>
      error instanceof InvalidToken ? invalidTokenPauseMs : retryMs;
    await retry(registerIfChanged, { delayMs, onRetry: onError, signal }).catch(() => {}); // rejects only when stopped
  }

  return { register, registerUntilDone };
}
