import type { AuditEntry } from '../../domain/index.ts';
import { isoTime } from '../../time.ts';

/** An entry in the audit log of a push. */
export function presentAuditRow(entry: AuditEntry) {
  const { ip, userAgent, referrer, createdAt, updatedAt, kind, openedBy, times, recipient } = entry;
  return {
    ip,
    user_agent: userAgent,
    referrer,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
    kind,
    successful: !kind.startsWith('failed_'),
    ...(openedBy !== null && { opened_by: openedBy }),
    ...(times > 1 && { times }),
    ...(recipient && { recipient: { id: recipient.id, name: recipient.name } }),
  };
}
