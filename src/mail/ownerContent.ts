import type { OwnerEvent, PushNotice } from '../domain/index.ts';
import type { MailContent, MailReader } from './layout.tsx';

/** As many as a mail names. */
const openersMax = 3;

/**
 * What happened to a push, for its owner, who finds it by its time and not by its name. The button leads to its page, and not
 * to the secret. Undefined for what they did themselves.
 */
export function ownerContent(
  notice: PushNotice,
  event: OwnerEvent,
  reader: MailReader,
): MailContent | undefined {
  if (event === 'burned') return undefined;
  const { subject, show, reason, unsubscribe } = reader.messages.mail.notice;
  return {
    subject: subject[event],
    heading: subject[event],
    paragraphs: [sentenceOf(notice, event, reader)],
    action: { text: show, href: `${reader.baseUrl}/pushes/${notice.push.id}` },
    reason,
    ...(reader.unsubscribeHref && { unsubscribe: { text: unsubscribe, href: reader.unsubscribeHref } }),
  };
}

/** What the chats say of it, too. */
function sentenceOf(
  { times, happenedAt, push, openers }: PushNotice,
  event: Exclude<OwnerEvent, 'burned'>,
  { messages }: MailReader,
): string {
  const { chat, date, list, mail } = messages;
  const { events } = chat;
  const { viewsUsed: used, viewsMax: max } = push;
  const title = chat.push.unnamed<string>(undefined, date(push.createdAt)).join('');
  const at = date(happenedAt);
  const names = openers.flatMap(({ name }) => name ?? []);
  const more = names.length - openersMax;
  const by =
    names.length === 0
      ? undefined
      : list([...names.slice(0, openersMax), ...(more > 0 ? [chat.morePeople(more)] : [])]);
  switch (event) {
    case 'viewed':
      return events.viewed(title, { views: times, used, max }, at, by).join('');
    case 'expired_by_views':
      return events.lastView(title, used, at, by).join('');
    case 'expired_by_time':
      return events.expired(title, used, at).join('');
    case 'deleted':
      return events.deleted(title, used, at).join('');
    case 'failed_passphrase':
      return events.failedPassphrase(title, times, at).join('');
    case 'locked':
      return events.locked(title, at).join('');
    case 'about_to_expire':
      return events.aboutToExpire(title, date(push.expiresAt)).join('');
    case 'asked_again':
      return events.askedAgain(title, at).join('');
    case 'answered':
      return mail.notice.answered(at);
  }
}
