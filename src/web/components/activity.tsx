import type { AuditEntry, Push } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import { deviceLabel } from '../deviceLabel.ts';
import type { PageContext } from '../pageContext.ts';
import { ApproximatePlaces } from './approximatePlaces.tsx';
import { Pagination } from './pagination.tsx';
import { recipientLabel } from './recipients.tsx';
import { TechnicalDetails } from './technicalDetails.tsx';
import { Time } from './time.tsx';

type ActivityProps = {
  page: PageContext;
  /** The path of the page that shows it. */
  path: string;
  push: Pick<Push, 'viewsUsed'>;
  log: AuditEntry[];
  pageNumber: number;
  /** Whether the log has another page. */
  hasMore: boolean;
};

/** What happened to a push, and apart from that how often its page was loaded, which changed nothing. */
export function Activity({ page, path, push, log, pageNumber, hasMore }: ActivityProps) {
  const { timeline, older, newer, nobody } = page.messages.pushes;
  const events = log.filter(({ kind }) => kind !== 'preview');
  const previews = log.filter(({ kind }) => kind === 'preview');
  return (
    <section>
      <h2>{timeline}</h2>
      <Timeline page={page} rows={events} />
      {push.viewsUsed === 0 ? <p class="muted">{nobody}</p> : null}
      {previews.length === 0 ? null : <Previews page={page} rows={previews} />}
      <ApproximatePlaces page={page} rows={log} />
      <Pagination
        page={page}
        pageNumber={pageNumber}
        hasNext={hasMore}
        previousText={older}
        nextText={newer}
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

function Previews({ page, rows }: RowsProps) {
  const total = rows.reduce((sum, { times }) => sum + times, 0);
  return (
    <details>
      <summary>{page.messages.pushes.previews(total)}</summary>
      <Timeline page={page} rows={rows} />
    </details>
  );
}
