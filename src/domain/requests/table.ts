import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  sealedColumn,
  type Table,
  textColumn,
} from '../../database/table.ts';
import type { RequestRow } from './request.ts';

export const requestsTable: Table<RequestRow> = {
  name: 'requests',
  columns: {
    id: primaryKey(bytesColumn),
    platform: textColumn,
    requester: textColumn,
    provider: textColumn,
    workspace: textColumn,
    reason: nullable(sealedColumn({ field: 'reason' })),
    state: textColumn,
    createdAt: integerColumn,
    expiresAt: integerColumn,
  },
};
