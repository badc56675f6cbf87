import { column, nullable, primaryKey, references, table } from '../../database/table.ts';
import type { AuditKind, OpenedBy } from './auditRow.ts';

export const auditTable = table('audit_rows', {
  pushId: primaryKey(references('pushes')),
  id: primaryKey(column.bytes),
  kind: column.textOf<AuditKind>(),
  ip: column.text,
  userAgent: column.text,
  referrer: column.text,
  openedBy: nullable(column.textOf<OpenedBy>()),
  createdAt: column.integer,
  times: column.integer,
  updatedAt: nullable(column.integer),
  viewNumber: nullable(column.integer),
  recipientId: nullable(column.bytes),
});
