import { isExpired, type ListedPush } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { Time } from './time.tsx';

type PushStatusProps = { messages: Messages; push: ListedPush };

/** How often a push was opened, and when it ends or how it ended. */
export function PushStatus({ messages, push }: PushStatusProps) {
  const { pushes } = messages;
  const opened = pushes.views(push.viewsUsed, push.viewsMax);
  if (!isExpired(push)) return `${opened} · ${pushes.ends(push.expiresAt - push.now)}`;
  const endReason = push.deleted ? 'deleted' : push.viewsUsed >= push.viewsMax ? 'views' : 'time';
  return (
    <>
      {opened} · {pushes.ended} <Time messages={messages} at={push.expiredOn ?? push.expiresAt} />,{' '}
      {pushes.endReasons[endReason]}
    </>
  );
}
