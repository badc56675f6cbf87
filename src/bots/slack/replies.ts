import type { RespondArguments, webApi } from '@slack/bolt';
import type { Card } from '../card.ts';
import { noUnfurl, renderSlackMessage } from './render.ts';
import { callTimeoutMs } from './restClient.ts';

/** Who is to read a card, and where they acted. */
export type SlackReader = { client: webApi.WebClient; user: string; responseUrl?: string | undefined };

export type SlackReplies = ReturnType<typeof createSlackReplies>;

/** Shows a card to one user alone: where they acted if Slack still allows that, or else as a direct message. */
export function createSlackReplies(onError: (error: unknown) => void) {
  /**
   * Posts to a response URL, which works five times within half an hour; `isPublic` shows the card to everybody there, also
   * where the app is no member. Resolves to whether it worked.
   */
  async function respondAt(
    url: string,
    card: Card,
    { replacing = false, isPublic = false } = {},
  ): Promise<boolean> {
    const newMessage: RespondArguments = {
      response_type: isPublic ? 'in_channel' : 'ephemeral',
      replace_original: false,
    };
    const body: RespondArguments = {
      ...renderSlackMessage(card),
      ...noUnfurl,
      ...(replacing ? { replace_original: true } : newMessage), // a replaced message stays what it was, also in direct messages
    };
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(callTimeoutMs),
      });
      return response.ok;
    } catch {
      return false;
    }
  }

  async function respond(
    { client, user, responseUrl }: SlackReader,
    card: Card,
    options: { replacing?: boolean } = {},
  ): Promise<void> {
    if (responseUrl !== undefined && (await respondAt(responseUrl, card, options))) return;
    try {
      await client.chat.postMessage({ channel: user, ...renderSlackMessage(card), ...noUnfurl });
    } catch (error) {
      onError(error);
    }
  }

  return { respondAt, respond };
}
