import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, RespondArguments, webApi } from '@slack/bolt';
import { type Asker, DomainError } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { answerTo } from '../commands.ts';
import * as words from '../words.ts';
import { draw, quiet } from './draw.ts';
import { workspaceOf } from './installations.ts';
import { describable } from './problems.ts';
import { callWithinMs } from './webClient.ts';

/** How long somebody may wait before Slack is told that we heard them; it gives up after three seconds. */
const ackWithinMs = 700;

/** Who did something, where; `occasion` is what Slack calls this one act. */
export function askerOf(context: Context, user: string, occasion?: string): Asker {
  const workspace = workspaceOf(context);
  const speaker = { platform: 'slack' as const, address: addressOf(workspace, user) };
  return { speaker, workspace, ...(occasion && { occasion }) };
}

/** A person, as the domain addresses them. */
export const addressOf = (workspace: string, user: string): string => `${workspace}:${user}`;

/** What came of an act: a card to show, or nothing when it was done already. */
export type Outcome = { card: Card; hasFailed: boolean; error?: unknown } | undefined;

/** Has a command done, and words what it refuses; what fails is logged. */
export async function outcomeOf(work: Promise<Card>, failed: (error: unknown) => void): Promise<Outcome> {
  try {
    return { card: await work, hasFailed: false };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'conflict') return undefined;
    const card = answerTo(error);
    if (card === undefined) failed(describable(error));
    return { card: card ?? words.ourFault, hasFailed: true, error };
  }
}

/** Gives what there is within the time in which Slack wants to hear from us, or undefined. */
export async function inTime<T>(work: Promise<T>): Promise<{ value: T } | undefined> {
  const enough = new AbortController();
  const late = sleep(ackWithinMs, undefined, { signal: enough.signal }).catch(() => undefined);
  return Promise.race([work.then((value) => ({ value })), late]).finally(() => enough.abort());
}

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
      failed(describable(error));
    }
  }

  return { reply, tell };
}
