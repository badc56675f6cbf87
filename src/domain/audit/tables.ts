import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  references,
  type Table,
  textColumn,
} from '../../database/table.ts';
import type { AuditRow } from './auditRow.ts';

export const auditTable: Table<
  Omit<AuditRow, 'updatedAt'> & {
    pushId: Buffer;
    id: Buffer;
    updatedAt: number | null;
    viewNumber: number | null;
  }
> = {
  name: 'audit_rows',
  columns: {
    pushId: primaryKey(references('pushes')),
    id: primaryKey(bytesColumn),
    kind: textColumn,
    ip: textColumn,
    userAgent: textColumn,
    referrer: textColumn,
    openedBy: nullable(textColumn),
    createdAt: integerColumn,
    times: integerColumn,
    updatedAt: nullable(integerColumn),
    viewNumber: nullable(integerColumn),
    recipientId: nullable(bytesColumn),
  },
};
