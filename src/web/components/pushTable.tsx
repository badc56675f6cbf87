import { isExpired, type ListedPush } from '../../domain/index.ts';
import { safeFilename } from '../../http/filenames.ts';
import type { PageContext } from '../pageContext.ts';
import { CopyButton, CopyStatus } from './copy.tsx';
import { Time } from './time.tsx';

type PushTableProps = { page: PageContext; pushes: ListedPush[] };

/** Pushes in rows; on narrow screens each row is a card. */
export function PushTable({ page, pushes }: PushTableProps) {
  const { columns } = page.messages.pushes;
  return (
    <>
      <table class="push-table">
        <thead>
          <tr>
            <th scope="col">{columns.push}</th>
            <th scope="col">{columns.views}</th>
            <th scope="col">{columns.end}</th>
            <th scope="col">
              <span class="visually-hidden">{columns.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {pushes.map((push) => (
            <tr>
              <NameCell page={page} push={push} />
              <ViewsCell page={page} push={push} />
              <EndCell page={page} push={push} />
              <ActionsCell page={page} push={push} />
            </tr>
          ))}
        </tbody>
      </table>
      <CopyStatus />
    </>
  );
}

type CellProps = { page: PageContext; push: ListedPush };

function NameCell({ page: { messages, path }, push }: CellProps) {
  const { nameless, unreadable, open } = messages.pushes;
  const name = push.name ?? (push.isUnreadable ? unreadable : nameless);
  return (
    <th scope="row">
      {push.urlToken === null ? (
        name
      ) : (
        <a href={path(`/pushes/${push.urlToken}`)} aria-label={open(name)}>
          {name}
        </a>
      )}
      <p class="hint">
        {messages.newPush.kinds[push.kind]} · <Time messages={messages} at={push.createdAt} />
      </p>
      {push.files.map(({ filename, size }) => (
        <p class="hint">
          <bdi>{safeFilename(filename)}</bdi> · {messages.size(size)}
        </p>
      ))}
    </th>
  );
}

function ViewsCell({ page: { messages }, push: { viewsUsed, viewsMax } }: CellProps) {
  return (
    <td>
      <progress class="views-progress" max={viewsMax} value={viewsUsed} aria-hidden="true" />
      <span class="small">{messages.pushes.views(viewsUsed, viewsMax)}</span>
    </td>
  );
}

/** When a push ends, or how it ended. */
function EndCell({ page: { messages }, push }: CellProps) {
  const { ends, endReasons } = messages.pushes;
  if (!isExpired(push)) return <td class="small">{ends(push.expiresAt - push.now)}</td>;
  const reason = push.deleted ? 'deleted' : push.viewsUsed >= push.viewsMax ? 'views' : 'time';
  return (
    <td class="small">
      <span class={reason === 'views' ? 'chip opened' : 'chip'}>{endReasons[reason]}</span>
      <p class="hint">
        <Time messages={messages} at={push.expiredOn ?? push.expiresAt} />
      </p>
    </td>
  );
}

function ActionsCell({ page, push }: CellProps) {
  const { urlToken } = push;
  if (urlToken === null || isExpired(push)) return <td />;
  return (
    <td class="actions">
      <input type="hidden" id={`link-${push.id}`} value={`${page.baseUrl}/p/${urlToken}`} />
      <CopyButton
        page={page}
        from={`link-${push.id}`}
        text={page.messages.pushCreated.copyLink}
        class="secondary js-only"
      />
    </td>
  );
}
