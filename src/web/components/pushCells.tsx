import { safeFilename } from '../../client/safeFilename.js';
import { isExpired, type ListedPush } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { type PushListQuery, selectionPath } from '../pushListQuery.ts';
import { CopyButton } from './copy.tsx';
import { PushStateChip } from './pushStatus.tsx';
import { pushTitle, recipientNames } from './pushTitle.ts';
import { Time } from './time.tsx';

type CellProps = { page: PageContext; push: ListedPush };

/** The checkbox that selects a push, if it can be changed: it is live, and can be decrypted. */
export function SelectCell({ page: { messages }, push }: CellProps) {
  if (push.urlToken === null || isExpired(push)) return <td class="select" />;
  return (
    <td class="select">
      <input
        type="checkbox"
        name="push"
        value={push.id}
        aria-label={messages.pushes.select(pushTitle(messages, push))}
      />
    </td>
  );
}

/** What a push is called, its kind, who it is for, and its files. */
export function NameCell({ page: { messages, path }, push }: CellProps) {
  const { to, open } = messages.pushes;
  const title = pushTitle(messages, push);
  const kind = messages.newPush.kinds[push.kind];
  const isNamed = push.name !== null && push.recipients.length > 0;
  return (
    <th scope="row">
      {push.urlToken === null ? (
        title
      ) : (
        <a href={path(`/pushes/${push.urlToken}`)} aria-label={open(title)}>
          {title}
        </a>
      )}
      <p class="hint">{isNamed ? `${kind} · ${to(recipientNames(messages, push.recipients))}` : kind}</p>
      {push.files.map(({ filename, size }) => (
        <p class="hint">
          <bdi>{safeFilename(filename)}</bdi> · {messages.size(size)}
        </p>
      ))}
    </th>
  );
}

export function CreatedCell({ page: { messages }, push }: CellProps) {
  return (
    <td class="small" data-label={messages.pushes.columns.created}>
      <Time messages={messages} at={push.createdAt} />
    </td>
  );
}

export function ViewsCell({ page: { messages }, push: { viewsUsed, viewsMax } }: CellProps) {
  return (
    <td>
      <progress class="views-progress" max={viewsMax} value={viewsUsed} aria-hidden="true" />
      <span class="small">{messages.pushes.views(viewsUsed, viewsMax)}</span>
    </td>
  );
}

/** When a push ends, or how and when it ended. */
export function EndCell({ page: { messages }, push }: CellProps) {
  if (!isExpired(push)) return <td class="small">{messages.pushes.ends(push.expiresAt - push.now)}</td>;
  return (
    <td class="small">
      <PushStateChip messages={messages} push={push} />
      <p class="hint">
        <Time messages={messages} at={push.expiredOn ?? push.expiresAt} />
      </p>
    </td>
  );
}

type ActionsCellProps = CellProps & { query: PushListQuery };

/**
 * What can be done with a push, the most dangerous last: nothing once it has ended. The link of one that only recipients can
 * open, or that lacks its key, is not worth copying.
 */
export function ActionsCell({ page, push, query }: ActionsCellProps) {
  const { urlToken } = push;
  if (urlToken === null || isExpired(push)) return <td />;
  const { messages, path } = page;
  const { copyLinkOf, actionOn, several } = messages.pushes;
  const title = pushTitle(messages, push);
  const linkTo = (action: 'extend' | 'expire') => ({
    href: path(selectionPath(action, push.id, query)),
    'aria-label': actionOn(several[action].action, title),
  });
  return (
    <td class="actions">
      {push.isReserved || push.encrypted ? null : (
        <>
          <input type="hidden" id={`link-${push.id}`} value={`${page.baseUrl}/p/${urlToken}`} />
          <CopyButton
            page={page}
            from={`link-${push.id}`}
            text={messages.pushCreated.copyLink}
            label={copyLinkOf(title)}
            class="secondary js-only"
          />
        </>
      )}
      {push.extensionMs === 0 ? null : <a {...linkTo('extend')}>{several.extend.action}</a>}
      <a class="danger" {...linkTo('expire')}>
        {several.expire.action}
      </a>
    </td>
  );
}
