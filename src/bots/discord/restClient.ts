import { setTimeout as sleep } from 'node:timers/promises';
import {
  type APIInteractionResponse,
  type APIMessage,
  type RESTPutAPIApplicationCommandsJSONBody as Commands,
  DiscordAPIError,
  REST,
  Routes,
} from 'discord.js';
import type { ChatMessage } from '../../domain/index.ts';
import { DeadToken, deadTokenRestMs, isAnswered, isEarly, isPassing } from './errors.ts';
import type { Message } from './render.ts';
import type { DiscordSettings } from './settings.ts';

const callWithinMs = 5_000;
const answerWithinMs = 2_000;
const editAgainAfterMs = [300, 1_000, 3_000];

/** A call is tried once, and never waits for a rate limit: whoever calls knows better when to try again. */
export const restOptions = ({ apiUrl }: Pick<DiscordSettings, 'apiUrl'>) => ({
  api: apiUrl,
  timeout: callWithinMs,
  retries: 0,
  rejectOnRateLimit: () => true,
});

export type Api = ReturnType<typeof createApi>;

/** Where an interaction is answered. */
export type Interaction = { id: string; token: string };

/** The calls that we make to Discord. A token that it refuses is let rest for a while: who goes on is banned. */
export function createApi(settings: DiscordSettings) {
  const { token, applicationId } = settings;
  const rest = new REST(restOptions(settings)).setToken(token);
  let restsUntil = 0;

  async function call<T>(work: () => Promise<unknown>): Promise<T> {
    if (performance.now() < restsUntil) throw new DeadToken();
    try {
      return (await work()) as T;
    } catch (error) {
      if (!(error instanceof DiscordAPIError && error.status === 401)) throw error;
      restsUntil = performance.now() + deadTokenRestMs;
      rest.setToken(token); // the library forgets it
      throw new DeadToken();
    }
  }

  /** Tries again after each of these times, while what went wrong may pass. */
  async function persistently<T>(timesMs: number[], work: () => Promise<T>): Promise<T> {
    for (const waitMs of timesMs) {
      try {
        return await work();
      } catch (error) {
        if (!isPassing(error) && !isEarly(error)) throw error;
        await sleep(waitMs);
      }
    }
    return work();
  }

  const webhook = ({ token: of }: Interaction, body: object, path: 'messages/@original' | '') =>
    path === ''
      ? rest.post(Routes.webhook(applicationId, of), { body, auth: false })
      : rest.patch(Routes.webhookMessage(applicationId, of), { body, auth: false });

  return {
    /** Answers an interaction for the first time. Done already is done. */
    async respond({ id, token: of }: Interaction, body: APIInteractionResponse): Promise<void> {
      const signal = AbortSignal.timeout(answerWithinMs);
      const answer = () => rest.post(Routes.interactionCallback(id, of), { body, auth: false, signal });
      await persistently([0], answer).catch((error) => {
        if (!isAnswered(error)) throw error;
      });
    },
    /** Puts a message in the place of the first answer, or of the message whose button was pressed. */
    editAnswer: (of: Interaction, body: Message) =>
      persistently(editAgainAfterMs, () => webhook(of, body, 'messages/@original')),
    /** Says more to whoever acted. */
    sayMore: (of: Interaction, body: Message) => persistently(editAgainAfterMs, () => webhook(of, body, '')),
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
    setCommands: (body: Commands) =>
      call<unknown>(() => rest.put(Routes.applicationCommands(applicationId), { body })),
  };
}
