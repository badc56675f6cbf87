import type { Context, RespondArguments, webApi } from '@slack/bolt';
import type { Asker } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { workspaceOf } from './installations.ts';
import { draw, quiet } from './render.ts';
import { callWithinMs } from './restClient.ts';

/** Who did something, where; `occasion` is what Slack calls this one act. */
export function askerOf(context: Context, user: string, occasion?: string): Asker {
  const workspace = workspaceOf(context);
  const speaker = { platform: 'slack' as const, address: addressOf(workspace, user) };
  return { speaker, workspace, ...(occasion && { occasion }) };
}

/** A person, as the domain addresses them. */
export const addressOf = (workspace: string, user: string): string => `${workspace}:${user}`;

export type Conversation = ReturnType<typeof createConversation>;

/** Says something to one person alone: where they acted, if Slack still lets us, or else as a direct message. */
export function createConversation(failed: (error: unknown) => void) {
  /** Answers at a response URL, which works five times within half an hour; says whether it did. */
  async function reply(url: string, card: Card, { replacing = false } = {}): Promise<boolean> {
    const body: RespondArguments = {
      ...draw(card),
      ...quiet,
      response_type: 'ephemeral',
      replace_original: replacing,
    };
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(callWithinMs),
      });
      return answer.ok;
    } catch {
      return false;
    }
  }

  /** Says it where they acted, and by direct message where that is not possible any more. */
  async function tell(
    { client, user, replyTo }: { client: webApi.WebClient; user: string; replyTo?: string | undefined },
    card: Card,
    options: { replacing?: boolean } = {},
  ): Promise<void> {
    if (replyTo !== undefined && (await reply(replyTo, card, options))) return;
    try {
      await client.chat.postMessage({ channel: user, ...draw(card), ...quiet });
    } catch (error) {
      failed(error);
    }
  }

  return { reply, tell };
}
