import type { AuditEntry, Push } from '../../domain/index.ts';
import { deviceLabel } from '../../locales/devices.ts';
import type { Messages } from '../../locales/locales.ts';
import type { PageContext } from '../pageContext.ts';
import { ApproximatePlaces, TechnicalDetails } from './clients.tsx';
import { Pagination, type Paging } from './list.tsx';
import { recipientLabel } from './recipients.tsx';
import { Time } from './time.tsx';

type ActivityProps = Paging & {
  page: PageContext;
  /** The path of the page that shows it. */
  path: string;
  push: Pick<Push, 'viewsUsed'>;
  log: AuditEntry[];
};

/** What happened to a push, and apart from that how often its page was loaded, which changed nothing. */
export function Activity({ page, path, push, log, ...paging }: ActivityProps) {
  const { timeline, older, newer, nobody, previews: previewsText } = page.messages.pushes;
  const events = log.filter(({ kind }) => kind !== 'preview');
  const previews = log.filter(({ kind }) => kind === 'preview');
  return (
    <section>
      <h2>{timeline}</h2>
      <Timeline page={page} rows={events} />
      {push.viewsUsed === 0 && <p class="muted">{nobody}</p>}
      {previews.length > 0 && (
        <details>
          <summary>{previewsText(previews.reduce((sum, { times }) => sum + times, 0))}</summary>
          <Timeline page={page} rows={previews} />
        </details>
      )}
      <ApproximatePlaces page={page} rows={log} />
      <Pagination
        page={page}
        {...paging}
        texts={[older, newer]}
        pathOf={(other) => `${path}?page=${other}`}
      />
    </section>
  );
}

type RowsProps = { page: PageContext; rows: AuditEntry[] };

function Timeline({ page: { messages }, rows }: RowsProps) {
  return (
    <ol class="timeline">
      {rows.map(({ updatedAt, ip, place, userAgent, referrer, ...event }) => (
        <li class={event.kind}>
          <p class="title">{titleOf(messages, event)}</p>
          <p class="hint">
            <Time messages={messages} at={updatedAt} /> · {deviceLabel(messages, userAgent)}
            {place && `\u00a0· ${messages.place(place)}`}
          </p>
          <TechnicalDetails summary={messages.pushes.technical} lines={[ip, userAgent, referrer]} />
        </li>
      ))}
    </ol>
  );
}

function titleOf(
  messages: Messages,
  { kind, openedBy, recipient, times }: Pick<AuditEntry, 'kind' | 'openedBy' | 'recipient' | 'times'>,
) {
  const { pushes } = messages;
  const how = openedBy === null ? pushes.auditKinds[kind] : pushes.openedBy[openedBy];
  const title = recipient === null ? how : pushes.openedByRecipient(recipientLabel(messages, recipient));
  return times === 1 ? title : `${title} × ${times}`;
}
