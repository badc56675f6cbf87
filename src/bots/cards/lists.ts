import type { ListedPush, SecretRequest } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import { type Card, type Item, type Line, type TextPart, textCard } from '../card.ts';
import type { ChatMessages } from '../messages.ts';
import type { Buttons } from './buttons.ts';
import type { createPushCards } from './push.ts';

/** A push and its link, which is null if it cannot be decrypted. */
export type PushWithLink = { push: ListedPush; link: string | null };

type Dependencies = {
  buttons: Buttons;
  pushCards: Pick<ReturnType<typeof createPushCards>, 'titleOf' | 'readOf'>;
};

type ListOptions = {
  hint?: Line | undefined;
  /** Whether there are more than these. */
  isCut?: boolean;
};

const utc = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Cards that list somebody's pushes and requests. */
export function createListCards(messages: ChatMessages, { buttons, pushCards }: Dependencies) {
  const { lists: texts, push: pushTexts } = messages;
  const { titleOf, readOf } = pushCards;
  const newPushCommand = { code: '/push' };

  /** A push in plain words, for a menu. */
  const labelOf = ({ name, createdAt, viewsUsed, viewsMax }: ListedPush): string =>
    name ?? pushTexts.label(utc(createdAt), viewsUsed, viewsMax);

  const itemOf = (push: ListedPush): Pick<Item, 'label' | 'details'> => ({
    label: labelOf(push),
    details: { id: actions.show, value: push.id },
  });

  function activeItem({ push, link }: PushWithLink): Item {
    if (link === null) return unreadableItem(push);
    const until: TextPart = { time: push.expiresAt, as: 'moment' };
    const linkPart = { link, label: texts.link };
    return {
      ...itemOf(push),
      line: texts.active<TextPart>(titleOf(push), push.viewsUsed, push.viewsMax, until, linkPart),
      buttons: [buttons.burn(push.id), buttons.audit(push.id)],
    };
  }

  const expiredItem = ({ push, link }: PushWithLink): Item => ({
    ...unreadableItem(push),
    buttons: link === null ? [] : [buttons.audit(push.id)],
  });

  const unreadableItem = (push: ListedPush): Item => ({
    ...itemOf(push),
    line: texts.expired(titleOf(push), readOf(push)),
    buttons: [],
  });

  const requestItem = ({ id, provider, createdAt }: SecretRequest): Item => ({
    line: texts.request<TextPart>({ person: provider.address }, { time: createdAt, as: 'date' }),
    buttons: [buttons.cancel(id)],
    label: texts.requestLabel(utc(createdAt)),
    details: { id: actions.showRequest, value: id },
  });

  /** A request that waits for its answer, alone. */
  function pendingRequest(request: SecretRequest): Card {
    const { line, buttons } = requestItem(request);
    return { ...textCard(line), buttons };
  }

  function list(
    active: PushWithLink[],
    requests: SecretRequest[],
    { hint, isCut = false }: ListOptions = {},
  ): Card {
    const below = [...(isCut ? [[texts.olderHidden]] : []), ...(hint === undefined ? [] : [hint])];
    const footnotes = below.length > 0 && { footnotes: below };
    if (active.length === 0 && requests.length === 0)
      return { ...textCard(texts.empty<TextPart>(newPushCommand)), ...footnotes };
    return {
      summary: isCut ? texts.newest : texts.count(active.length),
      lines: [],
      items: [...active.map(activeItem), ...requests.map(requestItem)],
      ...footnotes,
    };
  }

  /** Asks which push is meant. */
  function choosePush(candidates: PushWithLink[]): Card {
    if (candidates.length === 0) return list([], []);
    const items = candidates.map((each) => (each.push.expiredOn === null ? activeItem : expiredItem)(each));
    return { summary: texts.choose, lines: [[texts.choose]], items };
  }

  /** The app's own place: cards by their headings. */
  function home(
    active: PushWithLink[],
    requests: SecretRequest[],
    expired: PushWithLink[],
  ): Record<string, Card> {
    const { home: headings } = texts;
    const section = (items: Item[]): Card =>
      items.length === 0 ? textCard(headings.none) : { summary: headings.none, lines: [], items };
    return {
      [headings.active]: section(active.map(activeItem)),
      [headings.requests]: section(requests.map(requestItem)),
      [headings.expired]: section(expired.map(expiredItem)),
    };
  }

  return { labelOf, pendingRequest, list, choosePush, home };
}
