import type { SecretRequest } from '../../domain/index.ts';
import { type Card, type TextPart, textCard } from '../card.ts';
import type { ChatMessages } from '../messages.ts';
import type { Buttons } from './buttons.ts';

/** Cards about a request for a secret. */
export function createRequestCards({ requests: texts }: ChatMessages, buttons: Buttons) {
  const personOf = ({ address }: { address: string }): TextPart => ({ person: address });

  return {
    /** The direct message to the person who is asked. */
    requested: ({ id, requester, reason }: SecretRequest): Card => ({
      ...textCard(texts.received(personOf(requester)), ...(reason === null ? [] : [reason])),
      buttons: [buttons.provide(id), buttons.decline(id)],
    }),
    requestSent: ({ id, provider }: SecretRequest): Card => ({
      ...textCard(texts.sent(personOf(provider))),
      buttons: [buttons.cancel(id)],
    }),
    /** The end of a request, for each of the two. */
    requestEnded: {
      provided: ({ requester }: SecretRequest) => textCard(texts.provided(personOf(requester))),
      declined: ({ requester }: SecretRequest) => textCard(texts.declined(personOf(requester))),
      wasDeclined: ({ provider }: SecretRequest) => textCard(texts.wasDeclined(personOf(provider))),
      undelivered: ({ provider }: SecretRequest) => textCard(texts.undelivered(personOf(provider))),
      expired: ({ provider }: SecretRequest) => textCard(texts.expired(personOf(provider))),
      wasExpired: ({ requester }: SecretRequest) => textCard(texts.wasExpired(personOf(requester))),
      cancelled: ({ provider }: SecretRequest) => textCard(texts.cancelled(personOf(provider))),
      wasCancelled: ({ requester }: SecretRequest) => textCard(texts.wasCancelled(personOf(requester))),
    },
  };
}
