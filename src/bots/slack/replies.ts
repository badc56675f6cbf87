import type { webApi } from '@slack/bolt';
import type { ChatMessage } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { postResponse } from '../responseUrl.ts';
import { renderSlackMessage } from './render.ts';

/** Who is to read a card, and where they acted. */
export type SlackReader = { client: webApi.WebClient; user: string; responseUrl?: string | undefined };

export type SlackReplies = ReturnType<typeof createSlackReplies>;

/** Posts a card to a channel, or to a user: below a message, if that is in a `thread`. */
export async function postCard(
  client: webApi.WebClient,
  to: string,
  card: Card,
  thread_ts?: string,
): Promise<ChatMessage> {
  const message = { channel: to, ...(thread_ts && { thread_ts }), ...renderSlackMessage(card) };
  const { channel = to, ts = '' } = await client.chat.postMessage(message);
  return { channel, message: ts };
}

/** Shows a card to one user alone: where they acted if Slack still allows that, or else as a direct message. */
export function createSlackReplies(onError: (error: unknown) => void) {
  /**
   * Posts to a response URL, which works five times within half an hour; `isPublic` shows the card to everybody there, also
   * where the app is no member. Resolves to whether it worked.
   */
  const respondAt = (
    url: string,
    card: Card,
    { replacing = false, isPublic = false }: { replacing?: boolean | undefined; isPublic?: boolean } = {},
  ): Promise<boolean> =>
    postResponse(url, {
      ...renderSlackMessage(card),
      replace_original: replacing,
      ...(!replacing && { response_type: isPublic ? 'in_channel' : 'ephemeral' }), // a replaced message stays what it was, also in direct messages
    });

  async function respond(
    { client, user, responseUrl }: SlackReader,
    card: Card,
    options: { replacing?: boolean | undefined } = {},
  ): Promise<void> {
    if (responseUrl !== undefined && (await respondAt(responseUrl, card, options))) return;
    await postCard(client, user, card).catch(onError);
  }

  return { respondAt, respond };
}
