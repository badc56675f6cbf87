import type { ListedPush, PushRecipient } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { recipientLabel } from './recipients.tsx';

const namesMax = 2;

/** What a push is called: by its name, or else by its recipients, or the end of its link. */
export function pushTitle(messages: Messages, push: ListedPush): string {
  const { to, untitled, unreadable } = messages.pushes;
  if (push.name !== null) return push.name;
  if (push.isUnreadable || push.urlToken === null) return unreadable;
  if (push.recipients.length > 0) return to(recipientNames(messages, push.recipients));
  return untitled(push.urlToken.slice(-4));
}

/** The first recipients by name, and how many more there are. */
export function recipientNames(messages: Messages, recipients: PushRecipient[]): string {
  const names = recipients
    .slice(0, namesMax)
    .map((recipient) => recipient.name ?? recipientLabel(messages, recipient));
  const more = recipients.length - names.length;
  return messages.list([...names, ...(more === 0 ? [] : [messages.pushes.moreRecipients(more)])]);
}
