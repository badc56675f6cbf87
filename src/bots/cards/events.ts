import type { PushNotice } from '../../domain/index.ts';
import type { Line, TextPart } from '../card.ts';
import type { ChatMessages } from '../messages.ts';

/** What happened to a push, as one line of a thread. */
export function createEventLine({ events, push: texts }: ChatMessages) {
  return function eventLine({ event, times, happenedAt, push }: PushNotice): Line {
    const { viewsUsed, viewsMax } = push;
    const at: TextPart = { time: happenedAt, as: 'moment' };
    const read = viewsUsed === 0 ? texts.neverRead : texts.read(viewsUsed);
    switch (event) {
      case 'viewed':
        return events.viewed(times, viewsUsed, viewsMax, at);
      case 'expired_by_views':
      case 'expired_by_time':
        return events.expired(read, at);
      case 'burned':
        return events.burned(read, at);
      case 'deleted':
        return events.deleted(read, at);
      case 'failed_passphrase':
        return events.failedPassphrase(times, at);
      case 'locked':
        return events.locked(at);
      case 'about_to_expire':
        return [events.aboutToExpire];
      case 'asked_again':
        return events.askedAgain(at);
      case 'composed':
        return events.composed(at);
      case 'shared':
        return events.shared(at);
    }
  };
}
