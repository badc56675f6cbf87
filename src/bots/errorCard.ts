import { toRefusal } from '../domain/index.ts';
import { type Card, toPlainText } from './card.ts';
import type { Cards } from './cards/cards.ts';

/** Ends a command with a card that says what is wrong, or asks. Trying again would not help. */
export class CardError extends Error {
  readonly card: Card;

  constructor(card: Card) {
    super(toPlainText(card.summary));
    this.card = card;
  }
}

/** The card for a refusal; undefined for a failure, which the caller logs. */
export function toErrorCard(error: unknown, cards: Cards): Card | undefined {
  if (error instanceof CardError) return error.card;
  const refusal = toRefusal(error);
  if (refusal?.messageCode === 'pushNotFound') return cards.notFound;
  if (refusal?.code === 'unavailable' && refusal.retryAfterSeconds !== undefined) return cards.tryAgain;
  return refusal && cards.refusal(refusal);
}
