import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatCaller, DomainError, type FormDefaults } from '../domain/index.ts';
import type { Card } from './card.ts';
import { cards } from './cards/cards.ts';
import type { Commands } from './commands.ts';
import { toErrorCard } from './errorCard.ts';

/** How long somebody may wait before their chat is told that we heard them; the chats give up after three seconds. */
const ackTimeoutMs = 700;
const defaultsTimeoutMs = 300;

/** What came of an act: a card to show, or nothing when it was done already. */
export type Outcome = { card: Card; hasFailed: boolean; error?: unknown } | undefined;

/** Has a command done, and words what it refuses; what fails is logged. */
export async function outcomeOf(work: Promise<Card>, onError: (error: unknown) => void): Promise<Outcome> {
  try {
    return { card: await work, hasFailed: false };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'conflict') return undefined;
    const card = toErrorCard(error);
    if (card === undefined) onError(error);
    return { card: card ?? cards.internalError, hasFailed: true, error };
  }
}

/** Gives what there is within the time in which a chat wants to hear from us, or undefined. */
export async function withinAckTimeout<T>(work: Promise<T>): Promise<{ value: T } | undefined> {
  const enough = new AbortController();
  const late = sleep(ackTimeoutMs, undefined, { signal: enough.signal }).catch(() => undefined);
  return Promise.race([work.then((value) => ({ value })), late]).finally(() => enough.abort());
}

/** What a form is to show, without waiting for long: it has to be opened soon, whatever the database does. */
export async function defaultsWithinTimeout(commands: Commands, caller: ChatCaller): Promise<FormDefaults> {
  const known = commands.formDefaults(caller).catch(() => undefined);
  return (await Promise.race([known, sleep(defaultsTimeoutMs)])) ?? commands.plainDefaults();
}
