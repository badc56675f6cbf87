import type { RequestLink, SecretRequest } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { actions } from '../actions.ts';
import { type Button, type Card, type Item, type Line, moment, type TextPart, textCard } from '../card.ts';
import type { Buttons } from './buttons.ts';
import type { Phrases } from './phrases.ts';
import { hasOwnLink } from './push.ts';
import { createPushLabels, distinctLabels, type LabelledPush } from './pushLabels.ts';

/** What waits for an answer: a request, or a request link with its address, which is null if it cannot be decrypted. */
export type WaitingRequest = SecretRequest | (RequestLink & { address: string | null });

/** A push with its recipients and its link, which is null if it cannot be decrypted. */
export type PushWithLink = { push: LabelledPush; link: string | null };

type Dependencies = { buttons: Buttons; phrases: Phrases };

type Part = TextPart | Line;

type ListOptions = {
  hint?: Line | undefined;
  /** What was searched for. */
  query?: string;
  /** The first page is 1. */
  page?: number;
  hasOlder?: boolean;
};

/** Cards that list a user's pushes, requests and request links. */
export function createListCards(messages: Messages, { buttons, phrases }: Dependencies) {
  const { titleOf } = phrases;
  const { lists: texts } = messages.chat;
  const newPushCommand = { code: '/push' };

  const labelsOf = createPushLabels(messages);

  function activeItem({ push, link }: PushWithLink): Unlabelled {
    if (link === null) return unreadableItem(push);
    const until: TextPart = { time: push.expiresAt, as: 'moment' };
    const linkPart = hasOwnLink(push) ? { link, label: texts.link } : undefined;
    return {
      details: detailsOf(push),
      line: texts.active<Part>(titleOf(push), push.viewsUsed, push.viewsMax, until, linkPart).flat(),
      buttons: [buttons.burn(push.id), buttons.audit(push.id), ...buttons.maybeNudge(push)],
    };
  }

  const expiredItem = ({ push, link }: PushWithLink): Unlabelled => ({
    ...unreadableItem(push),
    buttons: link === null ? [] : [buttons.audit(push.id)],
  });

  const unreadableItem = (push: PushWithLink['push']): Unlabelled => ({
    details: detailsOf(push),
    line: texts.expired<Part>(titleOf(push), push.viewsUsed).flat(),
    buttons: [],
  });

  const detailsOf = ({ id }: LabelledPush): Item['details'] => ({ id: actions.show, value: id });

  /** Each push as an entry, with a label that no other has. */
  function pushItems(pushes: PushWithLink[], itemOf: (push: PushWithLink) => Unlabelled): Item[] {
    const labels = labelsOf(pushes.map(({ push }) => push));
    return pushes.map((each, at) => ({ ...itemOf(each), label: labels[at] ?? '' }));
  }

  const { requestItems, pendingRequest } = createRequestItems(messages, buttons);

  function list(active: PushWithLink[], requests: WaitingRequest[], options: ListOptions = {}): Card {
    const { hint, query = '', page = 1, hasOlder = false } = options;
    const footnotes = hint !== undefined && { footnotes: [hint] };
    if (active.length === 0 && requests.length === 0) return { ...emptyList(query), ...footnotes };
    const isWhole = query === '' && page === 1 && !hasOlder;
    const heading = isWhole
      ? [texts.count(active.length)]
      : texts.page<TextPart>(page, query && { bold: query });
    return {
      summary: heading,
      lines: isWhole ? [] : [heading],
      items: [...pushItems(active, activeItem), ...requestItems(requests)],
      itemsPrompt: messages.chat.modals.choose,
      buttons: pageButtons({ query, page, hasOlder }),
      ...footnotes,
    };
  }

  const emptyList = (query: string): Card =>
    textCard(
      query === '' ? texts.empty<TextPart>(newPushCommand) : texts.noResults<TextPart>({ bold: query }),
    );

  const pageButtons = ({ query, page, hasOlder }: Required<Omit<ListOptions, 'hint'>>): Button[] => [
    ...(page > 1 ? [buttons.listPage(texts.newer, page - 1, query)] : []),
    ...(hasOlder ? [buttons.listPage(texts.older, page + 1, query)] : []),
  ];

  /** Asks which push is meant. `unknown` is a name that none has. */
  function choosePush(candidates: PushWithLink[], unknown = ''): Card {
    const question = unknown === '' ? [] : [texts.noMatch<TextPart>({ bold: unknown })];
    if (candidates.length === 0) return textCard(...question, texts.empty<TextPart>(newPushCommand));
    const items = pushItems(candidates, (each) =>
      (each.push.expiredOn === null ? activeItem : expiredItem)(each),
    );
    return { ...textCard(...question, texts.choose), items, itemsPrompt: messages.chat.modals.choose };
  }

  /** The app's own place: cards by their headings. */
  function home(
    active: PushWithLink[],
    requests: WaitingRequest[],
    expired: PushWithLink[],
  ): Record<string, Card> {
    const { home: headings } = texts;
    const section = (items: Item[]): Card =>
      items.length === 0 ? textCard(headings.none) : { summary: [headings.none], lines: [], items };
    return {
      [headings.active]: section(pushItems(active, activeItem)),
      [headings.requests]: section(requestItems(requests)),
      [headings.expired]: section(pushItems(expired, expiredItem)),
    };
  }

  return { labelsOf, pendingRequest, list, choosePush, home };
}

type Unlabelled = Omit<Item, 'label'>;

type ListedLink = Exclude<WaitingRequest, SecretRequest>;

const isLink = (request: WaitingRequest): request is ListedLink => 'answersMax' in request;

/** What waits for an answer, as entries of a list. */
function createRequestItems(messages: Messages, buttons: Buttons) {
  const { lists: texts } = messages.chat;

  const requestItem = ({ id, provider, createdAt, expiresAt }: SecretRequest): Unlabelled => ({
    line: texts.request<TextPart>(
      { person: provider.address },
      { time: createdAt, as: 'date' },
      moment(expiresAt),
    ),
    buttons: [buttons.cancel(id)],
    details: { id: actions.showRequest, value: id },
  });

  const linkItem = ({ id, title, answersUsed, answersMax, expiresAt, address }: ListedLink): Unlabelled => ({
    line: texts.requestLink<TextPart>(
      title === null ? messages.requestLinks.unreadable : { bold: title },
      messages.requestLinks.answersOf(answersUsed, answersMax),
      moment(expiresAt),
      address === null ? undefined : { link: address, label: texts.link },
    ),
    buttons: [buttons.closeRequestLink(id)],
    details: { id: actions.showRequestLink, value: id },
  });

  /** Each request as an entry, with a label that no other has: several may have been sent at once. */
  function requestItems(requests: WaitingRequest[]): Item[] {
    const labels = distinctLabels(
      requests.map((each) =>
        isLink(each)
          ? texts.requestLinkLabel(each.title ?? '')
          : texts.requestLabel(messages.ago(Math.max(0, Date.now() - each.createdAt))),
      ),
    );
    return requests.map((each, at) => ({
      ...(isLink(each) ? linkItem(each) : requestItem(each)),
      label: labels[at] ?? '',
    }));
  }

  /** A request that waits for its answer, alone. */
  function pendingRequest(request: SecretRequest): Card {
    const { line, buttons } = requestItem(request);
    return { ...textCard(line), buttons };
  }

  return { requestItems, pendingRequest };
}
