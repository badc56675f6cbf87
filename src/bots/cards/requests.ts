import type { ChatUser, MailedAddress, RequestLink, SecretRequest } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { type Card, type Line, moment, type TextPart, textCard } from '../card.ts';
import type { Buttons } from './buttons.ts';
import type { Phrases } from './phrases.ts';

type Dependencies = { buttons: Buttons; phrases: Phrases };

type Part = TextPart | Line;

/** Cards about requests for a secret. */
export function createRequestCards(
  { requestLinks, chat, list }: Messages,
  { buttons, phrases }: Dependencies,
) {
  const { requests: texts, requestLinks: linkTexts } = chat;
  const personOf = ({ address }: ChatUser): TextPart => ({ person: address });
  const peopleOf = (people: ChatUser[]): Line => phrases.peopleOf(people.map(({ address }) => address));
  const providersOf = (requests: SecretRequest[]): Line => peopleOf(requests.map(({ provider }) => provider));

  const titleOf = ({ title }: RequestLink): TextPart =>
    title === null ? requestLinks.unreadable : { bold: title };

  const mailsOf = (mailed: MailedAddress[]): Line[] => {
    const refused = mailed.filter(({ state }) => state.is === 'refused');
    const others = mailed.filter(({ state }) => state.is !== 'refused').map(({ address }) => address);
    return [
      ...(others.length === 0 ? [] : [linkTexts.mailedTo(list(others))]),
      ...refused.map(({ address, state }) => chat.push.notMailed(address, state.reason ?? '')),
    ];
  };

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
    /** A request link with its address, and what became of the mails with it, for whoever created it. */
    requestLink(link: RequestLink, address: string | null, mailed: MailedAddress[] = []): Card {
      const { id, state, answersMax, expiresAt } = link;
      const title = titleOf(link);
      if (address === null || state !== 'open') {
        const progress = requestLinks.answersOf(link.answersUsed, answersMax);
        return textCard(linkTexts.ended<TextPart>(title, requestLinks.states[state], progress));
      }
      return {
        ...textCard(
          linkTexts.ready<TextPart>(title, { link: address, label: address }),
          linkTexts.takes<TextPart>(answersMax, moment(expiresAt)),
          ...mailsOf(mailed),
          ...(link.hasPassphrase ? [linkTexts.tellPassphrase] : []),
        ),
        buttons: [buttons.closeRequestLink(id)],
      };
    },
    requestLinkClosed: (link: RequestLink): Card => textCard(linkTexts.closed<TextPart>(titleOf(link))),
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
