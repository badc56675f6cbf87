import type { AuditEntry, ChatUser, Nudged, Push } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { type Card, type Line, moment, type TextPart, textCard } from '../card.ts';
import type { Buttons } from './buttons.ts';
import type { Phrases, TitledPush } from './phrases.ts';

type Part = TextPart | Line;

/** A push with its recipients. */
export type PushWithRecipients = Push & Pick<TitledPush, 'recipients'>;

type Dependencies = { buttons: Buttons; phrases: Phrases };

/** `sentTo` are addresses in the chat, `mailedTo` e-mail addresses. */
type PushCreatedOptions = { sentTo?: string[]; mailedTo?: string[]; hints?: Line[] };

/** Whether a chat has a link that opens a push: not if only its recipients can, or if the key is elsewhere. */
export const hasOwnLink = ({ isReserved, encrypted }: Pick<Push, 'isReserved' | 'encrypted'>): boolean =>
  !isReserved && !encrypted;

const ownLink = (push: Push, link: string): TextPart | undefined =>
  hasOwnLink(push) ? { link, label: link } : undefined;

/** Whom no mail with a link reached, and why. */
const notMailed = ({ chat }: Messages, { recipients }: PushWithRecipients): Line[] =>
  recipients.flatMap(({ name, mail }) =>
    mail?.state?.is === 'refused' ? [chat.push.notMailed(name ?? '', mail.state.reason ?? '')] : [],
  );

/** Cards about one push. */
export function createPushCards(messages: Messages, { buttons, phrases }: Dependencies) {
  const { titleOf, maybeNamed, peopleOf, limitsOf } = phrases;
  const { push: texts, audit: auditTexts } = messages.chat;

  /** The private answer to the creator: the link, its limits, and what can be done with it. */
  function pushCreated(
    push: Push,
    link: string,
    { sentTo = [], mailedTo = [], hints = [] }: PushCreatedOptions = {},
  ): Card {
    const title: TextPart = push.name === null ? texts.untitled : { bold: push.name };
    const ready = texts.ready(title, ownLink(push, link));
    return {
      summary: ready,
      lines: [
        ready,
        limitsOf(push),
        ...(sentTo.length === 0 ? [] : [sentToLine(sentTo)]),
        ...(mailedTo.length === 0 ? [] : [texts.mailedTo(messages.list(mailedTo), mailedTo.length)]),
        ...(push.encrypted ? [[texts.tellKey]] : []),
        ...(push.hasPassphrase ? [[texts.tellPassphrase]] : []),
      ],
      footnotes: hints,
      buttons: [
        buttons.burn(push.id),
        buttons.audit(push.id),
        ...(push.isReserved ? [] : [buttons.share(push.id), buttons.shareInChannel(push.id)]),
      ],
    };
  }

  const sentToLine = (people: string[]): Line => texts.sentTo<Part>(peopleOf(people), people.length).flat();

  const shared = (people: string[]): Card => textCard(sentToLine(people));

  /** The owner's one message about a push, as it is now. */
  function pushStatus(push: PushWithRecipients, link: string): Card {
    const title = titleOf(push);
    const { viewsUsed, viewsMax, deleted } = push;
    if (push.expiredOn !== null) {
      const end = deleted
        ? texts.ends.deleted
        : viewsUsed >= viewsMax
          ? texts.ends.opened
          : texts.ends.expired;
      const card = textCard(
        end<Part>(title, viewsUsed).flat(),
        ...openedBy(push),
        ...notMailed(messages, push),
      );
      return { ...card, buttons: [buttons.audit(push.id)] };
    }
    const status =
      viewsUsed === 0
        ? texts.notOpened<Part>(title, ownLink(push, link))
        : texts.opened<Part>(title, viewsUsed, viewsMax, ownLink(push, link));
    return {
      ...textCard(status.flat(), ...openedBy(push), ...notMailed(messages, push), limitsOf(push)),
      buttons: [
        buttons.burn(push.id),
        ...buttons.maybeExtend(push),
        buttons.audit(push.id),
        ...buttons.maybeNudge(push),
      ],
    };
  }

  /** Who opened a push, where that is known. */
  function openedBy({ recipients, expiredOn }: PushWithRecipients): Line[] {
    const opened = maybeNamed(recipients.filter(({ viewsUsed }) => viewsUsed > 0));
    const others = maybeNamed(recipients.filter(({ viewsUsed }) => viewsUsed === 0));
    if (opened === undefined) return [];
    const line = expiredOn === null ? texts.openedBy<Part> : texts.wasOpenedBy<Part>;
    return [line(opened, others).flat()];
  }

  /** The same after an owner asked for more time, with the time added. */
  function extended(push: PushWithRecipients, link: string, extendedMs: number): Card {
    const card = pushStatus(push, link);
    if (push.expiredOn !== null) return card;
    const result = extendedMs > 0 ? texts.extended(messages.duration(extendedMs)) : texts.notExtended;
    return { ...card, lines: [...card.lines, [result]] };
  }

  /** The newest audit rows of a push, and the number of earlier ones. */
  function audit(push: PushWithRecipients, rows: AuditEntry[], earlier: number): Card {
    const title = titleOf(push);
    return {
      summary: auditTexts.summary<Part>(title).flat(),
      lines: [
        auditTexts.used<Part>(title, push.viewsUsed, push.viewsMax).flat(),
        ...rows.map(({ kind, times, updatedAt, ip, place }) => {
          const what = auditTexts.kinds[kind];
          const from = messages.address(ip, place);
          return auditTexts.entry<TextPart>(
            moment(updatedAt),
            times === 1 ? what : `${what} × ${times}`,
            from,
          );
        }),
      ],
      ...(earlier > 0 && { footnotes: [[auditTexts.notShown(earlier)]] }),
    };
  }

  return {
    pushCreated,
    shared,
    pushStatus,
    nudged: createNudged(messages, phrases),
    extended,
    unreachable: createUnreachable(messages),
    audit,
  };
}

/** To the owner who has reminded some recipients, and others less than an hour ago. */
function createNudged({ chat: { push: texts } }: Messages, { peopleOf }: Phrases) {
  const listOf = (people: ChatUser[]): Line => peopleOf(people.map(({ address }) => address));
  return ({ reminded, tooSoon }: Nudged): Card =>
    textCard(
      ...(reminded.length === 0 ? [] : [texts.nudged<Part>(listOf(reminded), reminded.length).flat()]),
      ...(tooSoon.length === 0 ? [] : [texts.nudgedLately<Part>(listOf(tooSoon)).flat()]),
    );
}

/** For the owner of a push whose recipient gets no messages: a text to pass on, if there is a link. */
const createUnreachable =
  ({ chat: { push: texts } }: Messages) =>
  (
    person: string,
    { viewsMax, viewsUsed }: Pick<Push, 'viewsMax' | 'viewsUsed'>,
    link: string | undefined,
  ): Card => {
    if (link === undefined) return textCard(texts.unreachableBound<TextPart>({ person }));
    const sentence = texts.handedOver(viewsMax - viewsUsed, link);
    return textCard(texts.unreachable<TextPart>({ person }), [{ code: sentence }]);
  };
