import {
  type APIApplication,
  type APIDMChannel,
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
import { checkToken, type TokenCheck } from '../failure.ts';
import {
  explainDiscordError,
  InvalidToken,
  invalidTokenPauseMs,
  isAlreadyAcknowledged,
  isMemberUnknown,
  isRetryable,
  isServerUnknown,
} from './errors.ts';
import type { Message } from './render.ts';
import type { DiscordSettings } from './settings.ts';

const callTimeoutMs = 5_000;
const respondTimeoutMs = 2_000;
const editRetriesMs = [300, 1_000, 3_000];

/** Calls are tried once and never wait for a rate limit: the caller decides when to retry. */
export const restOptions = ({ DISCORD_API_URL: api }: Pick<DiscordSettings, 'DISCORD_API_URL'>) => ({
  api,
  timeout: callTimeoutMs,
  retries: 0,
  rejectOnRateLimit: () => true,
});

export type DiscordRest = ReturnType<typeof createRestClient>;

type Interaction = { id: string; token: string };

/** The calls that we make to Discord. A refused token is not retried for a while: Discord bans clients that go on. */
export function createRestClient(settings: DiscordSettings) {
  const { DISCORD_TOKEN: token = '', DISCORD_APPLICATION_ID: applicationId = '' } = settings;
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
      isRetryable,
    });
  }

  return {
    /** Sends an interaction's first response. One that Discord has already is fine. */
    async respond({ id, token: of }: Interaction, body: APIInteractionResponse): Promise<void> {
      const signal = AbortSignal.timeout(respondTimeoutMs);
      const callback = () => rest.post(Routes.interactionCallback(id, of), { body, auth: false, signal });
      await retrying([0], callback).catch((error) => {
        if (!isAlreadyAcknowledged(error)) throw error;
      });
    },
    /** Replaces the first response, or the message whose component was used. */
    editOriginal: ({ token: of }: Interaction, body: Message) =>
      retrying(editRetriesMs, () =>
        rest.patch(Routes.webhookMessage(applicationId, of), { body, auth: false }),
      ),
    /** Sends the user another message. */
    followUp: ({ token: of }: Interaction, body: Message) =>
      retrying(editRetriesMs, () => rest.post(Routes.webhook(applicationId, of), { body, auth: false })),
    async openDm(recipient_id: string): Promise<string> {
      return (await call<APIDMChannel>(() => rest.post(Routes.userChannels(), { body: { recipient_id } })))
        .id;
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
  const { DISCORD_TOKEN: token = '', DISCORD_APPLICATION_ID: id, DISCORD_PUBLIC_KEY: key } = settings;
  const asking = new REST(restOptions(settings)).setToken(token).get(Routes.currentApplication());
  const check = await checkToken('DISCORD_TOKEN', asking, explainDiscordError);
  if (check.result !== 'accepted') return [check];
  const application = (await asking) as APIApplication;
  const refuse = (setting: string, reason: string): TokenCheck => ({ setting, result: 'refused', reason });
  const isOther = key !== undefined && key.toLowerCase() !== application.verify_key;
  return [
    check,
    ...(id === application.id ? [] : [refuse('DISCORD_APPLICATION_ID', `knows it as ${application.id}`)]),
    ...(isOther ? [refuse('DISCORD_PUBLIC_KEY', 'has another for this application')] : []),
  ];
}
