import { isOwnerEvent, type PushNotice } from '../../domain/index.ts';
import { type Card, type Line, type TextPart, textCard } from '../card.ts';
import type { ChatMessages } from '../messages.ts';
import type { Buttons } from './buttons.ts';
import type { Phrases, TitledPush } from './phrases.ts';
import type { PushWithRecipients } from './push.ts';

type Dependencies = { buttons: Buttons; phrases: Phrases };

/** How many events a line stands for, where it stands for more than its notice. */
type EventOptions = { times?: number };

/** What has happened to a push, as a line below the owner's message about it. */
export function createEventCard({ events }: ChatMessages, { buttons, phrases }: Dependencies) {
  function lineOf(notice: PushNotice, titled: TitledPush, times: number): Line {
    const { event, happenedAt, push, openers } = notice;
    if (!isOwnerEvent(event)) throw new Error(`no line describes ${event}`);
    const { viewsUsed: used, viewsMax: max, expiresAt } = push;
    const title: TextPart | Line = phrases.titleOf(titled);
    const at: TextPart = { time: happenedAt, as: 'moment' };
    type Part = TextPart | Line;
    const by = phrases.maybeNamed(openers);
    switch (event) {
      case 'viewed':
        return events.viewed<Part>(title, { views: times, used, max }, at, by).flat();
      case 'expired_by_views':
        return events.lastView<Part>(title, used, at, by).flat();
      case 'expired_by_time':
        return events.expired<Part>(title, used, at).flat();
      case 'burned':
        return events.burned<Part>(title, used, at).flat();
      case 'deleted':
        return events.deleted<Part>(title, used, at).flat();
      case 'failed_passphrase':
        return events.failedPassphrase<Part>(title, times, at).flat();
      case 'locked':
        return events.locked<Part>(title, at).flat();
      case 'about_to_expire':
        return events.aboutToExpire<Part>(title, { time: expiresAt, as: 'moment' }).flat();
      case 'answered':
        return events.answered<Part>(title, at).flat();
      case 'asked_again':
        return events.askedAgain<Part>(title, at).flat();
    }
  }

  return function event(notice: PushNotice, push: PushWithRecipients, options: EventOptions = {}): Card {
    const { times = notice.times } = options;
    const { event } = notice;
    const card = textCard(lineOf(notice, push, times));
    if (event === 'about_to_expire') return { ...card, buttons: buttons.unread(push) };
    return event === 'asked_again' ? { ...card, buttons: [buttons.newPush(push.id)] } : card;
  };
}
