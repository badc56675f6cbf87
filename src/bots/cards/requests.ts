import type { ChatUser, SecretRequest } from '../../domain/index.ts';
import { type Card, type Line, moment, type TextPart, textCard } from '../card.ts';
import type { ChatMessages } from '../messages.ts';
import type { Buttons } from './buttons.ts';
import type { Phrases } from './phrases.ts';

type Dependencies = { buttons: Buttons; phrases: Phrases };

type Part = TextPart | Line;

/** Cards about requests for a secret. */
export function createRequestCards({ requests: texts }: ChatMessages, { buttons, phrases }: Dependencies) {
  const personOf = ({ address }: ChatUser): TextPart => ({ person: address });
  const peopleOf = (people: ChatUser[]): Line => phrases.peopleOf(people.map(({ address }) => address));
  const providersOf = (requests: SecretRequest[]): Line => peopleOf(requests.map(({ provider }) => provider));

  const toProvider = (line: Line, { id, reason, expiresAt }: SecretRequest): Card => ({
    ...textCard(line, ...(reason === null ? [] : [reason]), texts.answerBy<TextPart>(moment(expiresAt))),
    buttons: [buttons.provide(id), buttons.decline(id)],
  });

  return {
    /** The direct message to a person who is asked. */
    requested: (request: SecretRequest): Card =>
      toProvider(texts.received(personOf(request.requester)), request),
    /** The same once more, for who has not answered. */
    requestReminder: (request: SecretRequest): Card =>
      toProvider(texts.reminded(personOf(request.requester)), request),
    /** The private response to a user who asks several people at once. */
    requestsSent: (requests: SecretRequest[]): Card => ({
      ...textCard(
        texts.sent<Part>(providersOf(requests), requests.length).flat(),
        ...requests.slice(0, 1).map(({ expiresAt }) => texts.waitsUntil<TextPart>(moment(expiresAt))),
      ),
      buttons: requests.slice(0, 1).map(({ groupId }) => buttons.cancelAll(groupId)),
    }),
    /** The end of a request, for each of the two. */
    requestEnded: {
      provided: ({ requester }: SecretRequest) => textCard(texts.provided(personOf(requester))),
      declined: ({ requester }: SecretRequest) => textCard(texts.declined(personOf(requester))),
      wasDeclined: ({ provider }: SecretRequest) => textCard(texts.wasDeclined(personOf(provider))),
      undelivered: ({ provider }: SecretRequest) => textCard(texts.undelivered(personOf(provider))),
      expired: (providers: ChatUser[]) => textCard(texts.expired<Part>(peopleOf(providers)).flat()),
      wasExpired: ({ requester }: SecretRequest) => textCard(texts.wasExpired(personOf(requester))),
      cancelled: (requests: SecretRequest[]) => textCard(texts.cancelled<Part>(providersOf(requests)).flat()),
      wasCancelled: ({ requester }: SecretRequest) => textCard(texts.wasCancelled(personOf(requester))),
    },
  };
}
