import { isExpired, type ListedPush } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { Time } from './time.tsx';

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
