import type { AuditRow, Push } from '../../domain/index.ts';
import { type Card, type Line, type TextPart, textCard, toPlainText } from '../card.ts';
import type { ChatMessages } from '../messages.ts';
import type { Buttons } from './buttons.ts';

type Limits = Pick<Push, 'viewsMax' | 'viewsUsed' | 'expiresAt'>;

type PushCreatedOptions = { sentTo?: string[]; hints?: Line[] };

const linkPart = (link: string): TextPart => ({ link, label: link });

/** Cards about one push. */
export function createPushCards(messages: ChatMessages, buttons: Buttons) {
  const { push: texts, audit: auditTexts } = messages;

  const titleOf = ({
    name,
    isUnreadable = false,
  }: {
    name: string | null;
    isUnreadable?: boolean;
  }): TextPart => (name !== null ? { bold: name } : isUnreadable ? texts.unreadable : texts.untitled);

  const readOf = ({ viewsUsed }: { viewsUsed: number }): string =>
    viewsUsed === 0 ? texts.neverRead : texts.read(viewsUsed);

  const limitsOf = ({ viewsMax, viewsUsed, expiresAt }: Limits): Line =>
    texts.opens<TextPart>(viewsMax - viewsUsed, viewsUsed > 0, { time: expiresAt, as: 'moment' });

  const peopleOf = (people: string[]): Line =>
    messages.people<TextPart>(people.map((person) => ({ person })));

  /** The private answer to the creator: the link, its limits, and what can be done with it. */
  function pushCreated(push: Push, link: string, { sentTo = [], hints = [] }: PushCreatedOptions = {}): Card {
    return {
      summary: texts.readySummary,
      lines: [
        texts.ready(titleOf(push), linkPart(link)),
        limitsOf(push),
        ...(sentTo.length === 0 ? [] : [sentToLine(sentTo)]),
        ...(push.hasPassphrase ? [[texts.tellPassphrase]] : []),
      ],
      footnotes: hints,
      buttons: [buttons.burn(push.id), buttons.audit(push.id), buttons.share(push.id)],
    };
  }

  const sentToLine = (people: string[]): Line => texts.sentTo<TextPart | Line>(peopleOf(people)).flat();

  const shared = (people: string[]): Card => ({
    ...textCard(sentToLine(people)),
    summary: texts.sentSummary,
  });

  /** The direct message to a recipient. */
  function received(
    sender: string | undefined,
    push: Limits & Pick<Push, 'hasPassphrase'>,
    link: string,
  ): Card {
    return {
      summary: texts.receivedSummary,
      lines: [
        texts.received<TextPart>(sender === undefined ? texts.somebody : { person: sender }),
        limitsOf(push),
        ...(push.hasPassphrase ? [[texts.passphraseFollows]] : []),
      ],
      buttons: [buttons.open(messages.buttons.open, link)],
    };
  }

  /** The owner's one message about a push, as it is now. */
  function pushStatus(push: Push, link: string): Card {
    const title = titleOf(push);
    if (push.expiredOn !== null) {
      const read = readOf(push);
      return {
        summary: toPlainText(texts.ended(title, push.deleted, read)),
        lines: [texts.ended<TextPart>(title, push.deleted, { bold: read })],
        buttons: [buttons.audit(push.id)],
      };
    }
    const status = push.viewsUsed === 0 ? texts.notOpened : texts.viewed(push.viewsUsed, push.viewsMax);
    return {
      summary: toPlainText(texts.status(title, status)),
      lines: [texts.statusWithLink<TextPart>(title, { bold: status }, linkPart(link)), limitsOf(push)],
      buttons: [buttons.burn(push.id), buttons.extend(push.id), buttons.audit(push.id)],
    };
  }

  /** For the owner of a push whose recipient no message reaches: a sentence to hand over instead. */
  function unreachable(
    person: string,
    { viewsMax, viewsUsed }: Pick<Push, 'viewsMax' | 'viewsUsed'>,
    link: string,
  ): Card {
    const sentence = texts.handedOver(viewsMax - viewsUsed, link);
    return textCard(texts.unreachable<TextPart>({ person }), [{ code: sentence }]);
  }

  /** The newest audit rows of a push, and the number of earlier ones. */
  function audit(push: Push, rows: AuditRow[], earlier: number): Card {
    return {
      summary: auditTexts.summary,
      lines: [
        auditTexts.used(titleOf(push), push.viewsUsed, push.viewsMax),
        ...rows.map(({ kind, times, updatedAt, ip }) => {
          const what = auditTexts.kinds[kind];
          return auditTexts.entry<TextPart>(
            { time: updatedAt, as: 'moment' },
            times === 1 ? what : `${what} × ${times}`,
            ip,
          );
        }),
      ],
      ...(earlier > 0 && { footnotes: [[auditTexts.notShown(earlier)]] }),
    };
  }

  return { pushCreated, shared, received, pushStatus, unreachable, audit, titleOf, readOf };
}
