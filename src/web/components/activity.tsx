import type { AuditRow, Push } from '../../domain/index.ts';
import { deviceLabel } from '../deviceLabel.ts';
import type { PageContext } from '../pageContext.ts';
import { Pagination } from './pagination.tsx';
import { TechnicalDetails } from './technicalDetails.tsx';
import { Time } from './time.tsx';

/** Audit rows on one page. */
const pageSize = 50;

type ActivityProps = { page: PageContext; push: Push; log: AuditRow[]; pageNumber: number };

/** What people did with a push, and apart from that the visits of machines, which changed nothing. */
export function Activity({ page, push, log, pageNumber }: ActivityProps) {
  const { timeline, older, newer, nobody } = page.messages.pushes;
  const byPeople = log.filter(({ kind }) => kind !== 'preview');
  const byMachines = log.filter(({ kind }) => kind === 'preview');
  return (
    <section>
      <h2>{timeline}</h2>
      <Timeline page={page} rows={byPeople} />
      {push.viewsUsed === 0 ? <p class="muted">{nobody}</p> : null}
      {byMachines.length === 0 ? null : <Machines page={page} rows={byMachines} />}
      <Pagination
        page={page}
        pageNumber={pageNumber}
        hasNext={log.length >= pageSize}
        previousText={older}
        nextText={newer}
        pathOf={(other) => `/pushes/${push.urlToken}?page=${other}`}
      />
    </section>
  );
}

type RowsProps = { page: PageContext; rows: AuditRow[] };

function Timeline({ page: { messages }, rows }: RowsProps) {
  const { auditKinds, technical } = messages.pushes;
  return (
    <ol class="timeline">
      {rows.map(({ kind, times, updatedAt, ip, userAgent, referrer }) => (
        <li class={kind}>
          <p class="title">{times === 1 ? auditKinds[kind] : `${auditKinds[kind]} × ${times}`}</p>
          <p class="hint">
            <Time messages={messages} at={updatedAt} /> · {deviceLabel(messages, userAgent)}
          </p>
          <TechnicalDetails summary={technical} lines={[ip, userAgent, referrer]} />
        </li>
      ))}
    </ol>
  );
}

function Machines({ page, rows }: RowsProps) {
  const visits = rows.reduce((sum, { times }) => sum + times, 0);
  return (
    <details>
      <summary>{page.messages.pushes.machines(visits)}</summary>
      <Timeline page={page} rows={rows} />
    </details>
  );
}
