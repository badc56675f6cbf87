import { type ChatCaller, DomainError, type FormDefaults } from '../domain/index.ts';
import { withinTime } from '../retry.ts';
import type { Card } from './card.ts';
import type { Commands } from './commands.ts';
import { toErrorCard } from './errorCard.ts';
import { type ChatReader, cardsOf } from './language.ts';

/** Chats give up on a request after three seconds. */
const ackTimeoutMs = 700;
/** A form that takes too long has to be submitted again, so we wait for it for as long as chats allow. */
export const submissionTimeoutMs = 2_200;
const defaultsTimeoutMs = 300;

/** The card to show; undefined where the platform repeated what was done already. */
export type Outcome = { card: Card; hasFailed: boolean; error?: unknown } | undefined;

type Dependencies = { commands: Pick<Commands, 'isUnreachable'>; onError: (error: unknown) => void };

export type Outcomes = ReturnType<typeof createOutcomes>;

/** Turn what commands throw into cards. Failures go to `onError`. */
export function createOutcomes({ commands, onError }: Dependencies) {
  async function outcomeOf(reader: ChatReader, work: Promise<Card>): Promise<Outcome> {
    try {
      return { card: await work, hasFailed: false };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'conflict') return undefined;
      const cards = cardsOf(reader);
      const card = toErrorCard(error, cards);
      if (card === undefined) onError(error);
      return { card: card ?? cards.internalError, hasFailed: true, error };
    }
  }

  /** The same, with a hint for users that our direct messages do not reach. */
  async function hintedOutcomeOf(caller: ChatCaller, work: Promise<Card>): Promise<Outcome> {
    const [outcome, isUnreachable] = await Promise.all([
      outcomeOf(caller, work),
      commands.isUnreachable(caller.chatUser).catch(() => false),
    ]);
    if (outcome === undefined || outcome.hasFailed || !isUnreachable) return outcome;
    const { footnotes = [], ...card } = outcome.card;
    return { ...outcome, card: { ...card, footnotes: [...footnotes, cardsOf(caller).hints.unreached] } };
  }

  return { outcomeOf, hintedOutcomeOf };
}

/** The result if it comes before the chat has to be acknowledged, or undefined. */
export const withinAckTimeout = <T>(work: Promise<T>, timeoutMs = ackTimeoutMs) =>
  withinTime(work, timeoutMs);

/** The defaults of a form, without waiting long: a form has to open soon, whatever the database does. */
export async function defaultsWithinTimeout(commands: Commands, caller: ChatCaller): Promise<FormDefaults> {
  const known = commands.formDefaults(caller).catch(() => undefined);
  return (await withinTime(known, defaultsTimeoutMs))?.value ?? commands.fallbackDefaults();
}
