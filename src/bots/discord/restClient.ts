import {
  type APIApplication,
  type APIGuildMember,
  type APIInteractionResponse,
  type APIMessage,
  type RESTPutAPIApplicationCommandsJSONBody as Commands,
  DiscordAPIError,
  REST,
  Routes,
} from 'discord.js';
import type { ChatMessage } from '../../domain/index.ts';
import { retry } from '../../retry.ts';
import type { TokenCheck } from '../chatModule.ts';
import {
  InvalidToken,
  invalidTokenPauseMs,
  isAlreadyAcknowledged,
  isMemberUnknown,
  isRetryable,
  isServerUnknown,
  isWebhookUnknown,
} from './errors.ts';
import type { Message } from './render.ts';
import type { DiscordSettings } from './settings.ts';

const callTimeoutMs = 5_000;
const respondTimeoutMs = 2_000;
const editRetriesMs = [300, 1_000, 3_000];

/** Calls are tried once and never wait for a rate limit: the caller decides when to retry. */
export const restOptions = ({ apiUrl }: Pick<DiscordSettings, 'apiUrl'>) => ({
  api: apiUrl,
  timeout: callTimeoutMs,
  retries: 0,
  rejectOnRateLimit: () => true,
});

export type DiscordRest = ReturnType<typeof createRestClient>;

/** What a response to an interaction needs. */
export type InteractionToken = { id: string; token: string };

/** The calls that we make to Discord. A refused token is not retried for a while: Discord bans clients that go on. */
export function createRestClient(settings: DiscordSettings) {
  const { token, applicationId } = settings;
  const rest = new REST(restOptions(settings)).setToken(token);
  let pausedUntil = 0;

  async function call<T>(work: () => Promise<unknown>): Promise<T> {
    if (performance.now() < pausedUntil) throw new InvalidToken();
    try {
      return (await work()) as T;
    } catch (error) {
      if (!(error instanceof DiscordAPIError && error.status === 401)) throw error;
      pausedUntil = performance.now() + invalidTokenPauseMs;
      rest.setToken(token); // the library drops it
      throw new InvalidToken();
    }
  }

  /** Retries after each of these delays while the error is one that may pass. */
  function retrying<T>(delaysMs: number[], work: () => Promise<T>): Promise<T> {
    return retry(work, {
      attempts: delaysMs.length + 1,
      delayMs: (attempt) => delaysMs[attempt - 1] ?? 0,
      isRetryable: (error) => isRetryable(error) || isWebhookUnknown(error),
    });
  }

  const webhook = ({ token: of }: InteractionToken, body: object, path: 'messages/@original' | '') =>
    path === ''
      ? rest.post(Routes.webhook(applicationId, of), { body, auth: false })
      : rest.patch(Routes.webhookMessage(applicationId, of), { body, auth: false });

  return {
    /** Sends an interaction's first response. One that Discord has already is fine. */
    async respond({ id, token: of }: InteractionToken, body: APIInteractionResponse): Promise<void> {
      const signal = AbortSignal.timeout(respondTimeoutMs);
      const callback = () => rest.post(Routes.interactionCallback(id, of), { body, auth: false, signal });
      await retrying([0], callback).catch((error) => {
        if (!isAlreadyAcknowledged(error)) throw error;
      });
    },
    /** Replaces the first response, or the message whose component was used. */
    editOriginal: (of: InteractionToken, body: Message) =>
      retrying(editRetriesMs, () => webhook(of, body, 'messages/@original')),
    /** Sends the user another message. */
    followUp: (of: InteractionToken, body: Message) => retrying(editRetriesMs, () => webhook(of, body, '')),
    async openDm(user: string): Promise<string> {
      const body = { recipient_id: user };
      return (await call<{ id: string }>(() => rest.post(Routes.userChannels(), { body }))).id;
    },
    async send(channel: string, body: object): Promise<ChatMessage> {
      const { id } = await call<APIMessage>(() => rest.post(Routes.channelMessages(channel), { body }));
      return { channel, message: id };
    },
    edit: ({ channel, message }: ChatMessage, body: Message) =>
      call<APIMessage>(() => rest.patch(Routes.channelMessage(channel, message), { body })),
    /** A member of a server; null for other users, undefined in servers without the bot. */
    async maybeMember(server: string, user: string): Promise<APIGuildMember | null | undefined> {
      try {
        return await call<APIGuildMember>(() => rest.get(Routes.guildMember(server, user)));
      } catch (error) {
        if (isMemberUnknown(error)) return null;
        if (isServerUnknown(error)) return undefined;
        throw error;
      }
    },
    setCommands: (body: Commands) =>
      call<unknown>(() => rest.put(Routes.applicationCommands(applicationId), { body })),
  };
}

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
