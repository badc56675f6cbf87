import { isExpired, type ListedPush, type PushRecipient } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { recipientLabel } from './recipients.tsx';
import { Time } from './time.tsx';

const namesMax = 2;

/** Characters that turn the direction of the text around them, or of what follows it (Unicode Standard Annex 9). */
const directions = /[\u202a-\u202e\u2066-\u2069]/g;

type PushTitleProps = { messages: Messages; push: ListedPush };

/** What a push is called: by its name, or else by its recipients, or by its kind and its time, such as “Text, 23 Nov, 15:16”. */
export function PushTitle({ messages, push }: PushTitleProps) {
  const known = knownTitle(messages, push);
  if (known !== undefined) return <bdi>{known}</bdi>;
  return (
    <>
      {kindName(messages, push)}, <Time messages={messages} at={push.createdAt} format="short" />
    </>
  );
}

/** The same where no time can follow the reader's zone: without the time. */
export const plainPushTitle = (messages: Messages, push: ListedPush): string =>
  knownTitle(messages, push) ?? kindName(messages, push);

function knownTitle(messages: Messages, push: ListedPush): string | undefined {
  const { to, unreadable } = messages.pushes;
  if (push.name !== null) return push.name.replace(directions, '');
  if (push.isUnreadable || push.urlToken === null) return unreadable;
  return push.recipients.length > 0 ? to(recipientNames(messages, push.recipients)) : undefined;
}

/** Its kind; of files, how many. */
export const kindName = ({ newPush, pushes }: Messages, { kind, files }: ListedPush): string =>
  files.length === 0 ? newPush.kinds[kind] : pushes.files(files.length);

/** The first recipients by name, and how many more there are. */
export function recipientNames(messages: Messages, recipients: PushRecipient[]): string {
  const names = recipients
    .slice(0, namesMax)
    .map((recipient) => recipient.name ?? recipientLabel(messages, recipient));
  const more = recipients.length - names.length;
  return messages.list([...names, ...(more === 0 ? [] : [messages.pushes.moreRecipients(more)])]);
}

type PushStatusProps = { messages: Messages; push: ListedPush };

/** How often a push was opened, and when it ends or how it ended. */
export function PushStatus({ messages, push }: PushStatusProps) {
  const { pushes } = messages;
  const opened = pushes.views(push.viewsUsed, push.viewsMax);
  if (!isExpired(push)) return `${opened} · ${pushes.ends(push.expiresAt - push.now)}`;
  return (
    <>
      {opened} · {pushes.ended} <Time messages={messages} at={push.expiredOn ?? push.expiresAt} />,{' '}
      {pushes.endReasons[endReasonOf(push)]}
    </>
  );
}

/** Whether a push is active, or what ended it. */
export function PushStateChip({ messages: { pushes }, push }: PushStatusProps) {
  if (!isExpired(push)) return <span class="chip opened">{pushes.states.active}</span>;
  const reason = endReasonOf(push);
  return <span class={reason === 'views' ? 'chip opened' : 'chip'}>{pushes.endReasons[reason]}</span>;
}

/** Its owner or a viewer, its last view, or its time. */
function endReasonOf({ deleted, viewsUsed, viewsMax }: ListedPush): 'deleted' | 'views' | 'time' {
  if (deleted) return 'deleted';
  return viewsUsed >= viewsMax ? 'views' : 'time';
}
