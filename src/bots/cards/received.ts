import type { Push, ReminderTime } from '../../domain/index.ts';
import { type Card, type Line, moment, type TextPart, textCard } from '../card.ts';
import type { ChatMessages } from '../messages.ts';
import type { Buttons } from './buttons.ts';
import type { Phrases, ViewLimits } from './phrases.ts';

/** How a recipient opens a push: through a link, or a bound one through a button that gives them a link. */
export type Access = { link: string } | { pushId: string };

type Dependencies = { buttons: Buttons; phrases: Phrases };

type ReceivedPush = ViewLimits & Pick<Push, 'id' | 'encrypted' | 'hasPassphrase'>;

/** A bound recipient's views cannot be used by anyone else. */
type EndedPush = Pick<Push, 'viewsMax' | 'viewsUsed' | 'deleted'> & { isBound: boolean };

/** The one message that a recipient has about a push. */
export function createReceivedCards(
  { push: texts, buttons: labels }: ChatMessages,
  { buttons, phrases }: Dependencies,
) {
  const receivedLine = (sender: string | undefined): Line =>
    sender === undefined ? [texts.receivedFromSomebody] : texts.received<TextPart>({ person: sender });

  /** The direct message to a recipient. */
  const received = (sender: string | undefined, push: ReceivedPush, access: Access): Card =>
    unopened(receivedLine(sender), push, access);

  /** The same once more, for who has not opened it. */
  const reminded = (sender: string | undefined, push: ReceivedPush, access: Access): Card =>
    unopened(
      sender === undefined ? [texts.remindedFromSomebody] : texts.reminded<TextPart>({ person: sender }),
      push,
      access,
    );

  function unopened(line: Line, push: ReceivedPush, access: Access): Card {
    return {
      ...textCard(
        line,
        phrases.receivedLimitsOf(push),
        ...(push.encrypted ? [texts.keyFollows] : []),
        ...(push.hasPassphrase ? [texts.passphraseFollows] : []),
      ),
      buttons: [
        'link' in access ? buttons.open(labels.open, access.link) : buttons.openBound(access.pushId),
        buttons.remindLater(push.id),
      ],
    };
  }

  /** Asks a recipient when they want to be reminded. */
  const whenToRemind = (pushId: string, times: ReminderTime[]): Card => ({
    ...textCard(texts.whenToRemind),
    buttons: times.map((time) => buttons.remindAt(pushId, time)),
  });

  const reminderSet = (at: number): Card => textCard(texts.reminderSet<TextPart>(moment(at)));

  /** For a channel, each member of which can open the push once. */
  function sharedInChannel(sender: string, { id, expiresAt, encrypted, hasPassphrase }: Push): Card {
    return {
      ...textCard(
        texts.sharedInChannel<TextPart>({ person: sender }),
        texts.onceEach<TextPart>(moment(expiresAt)),
        ...(encrypted ? [texts.keyFollows] : []),
        ...(hasPassphrase ? [texts.passphraseFollows] : []),
      ),
      buttons: [buttons.openBound(id)],
    };
  }

  /** The link that a bound recipient asked for. */
  const boundLink = (link: string): Card => ({
    ...textCard(texts.boundLink),
    buttons: [buttons.open(labels.open, link)],
  });

  /** The same message once the recipient can no longer open it, by their own views where they have some. */
  function receivedEnd(
    sender: string | undefined,
    { viewsMax, viewsUsed, deleted, isBound }: EndedPush,
    { isWithdrawn }: { isWithdrawn: boolean },
  ): Card {
    const { receivedEnds: ends } = texts;
    const line = receivedLine(sender);
    if (viewsUsed >= viewsMax) return textCard(line, isBound ? ends.openedByYou : ends.opened);
    if (isWithdrawn) return textCard(line, ends.withdrawn);
    if (deleted) return textCard(line, ends.deleted);
    return textCard(line, viewsUsed === 0 ? ends.expiredUnread : ends.expired);
  }

  const [notInChannel, sharedHere] = [textCard(texts.notInChannel), textCard(texts.sharedHere)];

  return {
    received,
    reminded,
    whenToRemind,
    reminderSet,
    sharedInChannel,
    notInChannel,
    sharedHere,
    boundLink,
    receivedEnd,
  };
}
