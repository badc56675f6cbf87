import { safeFilename } from '../../client/safeFilename.js';
import { isExpired, type ListedPush } from '../../domain/index.ts';
import type { PageContext } from '../pageContext.ts';
import { type PushListQuery, selectionActions, selectionPath } from '../pushListQuery.ts';
import { CopyButton } from './copy.tsx';
import { kindName, PushStateChip, PushTitle, recipientNames } from './pushTitle.tsx';
import { Time } from './time.tsx';

type CellProps = { page: PageContext; push: ListedPush };

/** Names a control in a row for screen readers: by its own text, if it has one, and by the title of the push. */
const labelledBy = ({ id }: ListedPush, own?: string) => ({
  ...(own === undefined ? {} : { id: `${own}-${id}` }),
  'aria-labelledby': own === undefined ? `title-${id}` : `${own}-${id} title-${id}`,
});

/** The checkbox that selects a push, if it can be changed: it is live, and can be decrypted. */
export function SelectCell({ push }: CellProps) {
  if (push.urlToken === null || isExpired(push)) return <td class="select" />;
  return (
    <td class="select">
      <input type="checkbox" name="push" value={push.id} {...labelledBy(push)} />
    </td>
  );
}

/** What a push is called, and below it its kind, who it is for, its files, and the end of its link, which tells it from others. */
export function NameCell({ page: { messages, path }, push }: CellProps) {
  const { id, urlToken, name, recipients, files } = push;
  const hasRecipients = recipients.length > 0;
  const details = [
    ...(name === null && !hasRecipients ? [] : [kindName(messages, push)]),
    ...(name === null || !hasRecipients ? [] : [messages.pushes.to(recipientNames(messages, recipients))]),
    ...files.map(({ filename }) => safeFilename(filename)),
    ...(urlToken === null ? [] : [`…${urlToken.slice(-4)}`]),
  ];
  const Title = urlToken === null ? 'span' : 'a';
  return (
    <th scope="row">
      <Title
        id={`title-${id}`}
        class="title"
        href={urlToken === null ? undefined : path(`/pushes/${urlToken}`)}
      >
        <PushTitle messages={messages} push={push} />
      </Title>
      <p class="hint">
        {details.map((detail, at) => (
          <>
            {at === 0 ? '' : ' · '}
            <bdi>{detail}</bdi>
          </>
        ))}
      </p>
    </th>
  );
}

export const CreatedCell = ({ page: { messages }, push }: CellProps) => (
  <td class="small created-at">
    <Time messages={messages} at={push.createdAt} />
  </td>
);

export const ViewsCell = ({ page: { messages }, push: { viewsUsed, viewsMax } }: CellProps) => (
  <td class="small">
    <progress class="views-progress" max={viewsMax} value={viewsUsed} aria-hidden="true" />
    {messages.pushes.views(viewsUsed, viewsMax)}
  </td>
);

/** When a push ends, or how and when it ended. */
export function EndCell({ page: { messages }, push }: CellProps) {
  if (!isExpired(push)) return <td class="small">{messages.pushes.ends(push.expiresAt - push.now)}</td>;
  return (
    <td class="small">
      <PushStateChip messages={messages} push={push} />{' '}
      <Time messages={messages} at={push.expiredOn ?? push.expiresAt} />
    </td>
  );
}

type ActionsCellProps = CellProps & { query: PushListQuery };

/**
 * A menu of what can be done with a push, the most dangerous last: nothing once it has ended. The link of one that only
 * recipients can open, or that lacks its key, is not worth copying.
 */
export function ActionsCell({ page, push, query }: ActionsCellProps) {
  const { id, urlToken } = push;
  if (urlToken === null || isExpired(push)) return <td class="actions" />;
  const { messages, path } = page;
  const { actions, several } = messages.pushes;
  const copy = { page, from: `link-${id}`, text: messages.pushCreated.copyLink };
  const offered = selectionActions.filter((action) => action !== 'extend' || push.extensionMs > 0);
  return (
    <td class="actions">
      <details class="menu" name="actions">
        <summary aria-label={actions} {...labelledBy(push, 'menu')}>
          ⋯
        </summary>
        <div class="menu-items">
          {push.isReserved || push.encrypted ? null : (
            <>
              <input type="hidden" id={`link-${id}`} value={`${page.baseUrl}/p/${urlToken}`} />
              <CopyButton {...copy} class="js-only" {...labelledBy(push, 'copy')} />
            </>
          )}
          {offered.map((action) => (
            <a
              href={path(selectionPath(action, id, query))}
              class={action === 'expire' ? 'danger' : undefined}
              {...labelledBy(push, action)}
            >
              {several[action].action}
            </a>
          ))}
        </div>
      </details>
    </td>
  );
}
