import type { Context, RespondArguments, webApi } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { workspaceOf } from './installations.ts';
import { noUnfurl, renderMessage } from './render.ts';
import { callTimeoutMs } from './restClient.ts';

/** Who did something, where; `occasion` is what Slack calls this one act. */
export function callerOf(context: Context, user: string, idempotencyKey?: string): ChatCaller {
  const workspace = workspaceOf(context);
  const chatUser = { platform: 'slack' as const, address: addressOf(workspace, user) };
  return { chatUser, workspace, ...(idempotencyKey && { idempotencyKey }) };
}

/** A person, as the domain addresses them. */
export const addressOf = (workspace: string, user: string): string => `${workspace}:${user}`;

export type SlackReplies = ReturnType<typeof createSlackReplies>;

/** Says something to one person alone: where they acted, if Slack still lets us, or else as a direct message. */
export function createSlackReplies(onError: (error: unknown) => void) {
  /** Answers at a response URL, which works five times within half an hour; says whether it did. */
  async function respondAt(url: string, card: Card, { replacing = false } = {}): Promise<boolean> {
    const body: RespondArguments = {
      ...renderMessage(card),
      ...noUnfurl,
      response_type: 'ephemeral',
      replace_original: replacing,
    };
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(callTimeoutMs),
      });
      return answer.ok;
    } catch {
      return false;
    }
  }

  /** Says it where they acted, and by direct message where that is not possible any more. */
  async function respond(
    {
      client,
      user,
      responseUrl,
    }: { client: webApi.WebClient; user: string; responseUrl?: string | undefined },
    card: Card,
    options: { replacing?: boolean } = {},
  ): Promise<void> {
    if (responseUrl !== undefined && (await respondAt(responseUrl, card, options))) return;
    try {
      await client.chat.postMessage({ channel: user, ...renderMessage(card), ...noUnfurl });
    } catch (error) {
      onError(error);
    }
  }

  return { respondAt, respond };
}
