import {
  bytesColumn,
  integerColumn,
  primaryKey,
  references,
  type Table,
  textColumn,
} from '../../database/table.ts';
import type { AuditRow } from './audit.ts';

export const auditTable: Table<AuditRow & { pushId: Buffer; id: Buffer }> = {
  name: 'audit_rows',
  columns: {
    pushId: primaryKey(references('pushes')),
    id: primaryKey(bytesColumn),
    kind: textColumn,
    ip: textColumn,
    userAgent: textColumn,
    referrer: textColumn,
    createdAt: integerColumn,
  },
};
