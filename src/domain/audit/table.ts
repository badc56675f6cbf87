import { bytes, integerColumn, primaryKey, references, type Table, text } from '../../database/table.ts';
import type { AuditRow } from './audit.ts';

export const auditTable: Table<AuditRow & { pushId: Buffer; id: Buffer }> = {
  name: 'audit_rows',
  columns: {
    pushId: primaryKey(references('pushes')),
    id: primaryKey(bytes),
    kind: text,
    ip: text,
    userAgent: text,
    referrer: text,
    createdAt: integerColumn,
  },
};
