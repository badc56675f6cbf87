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

/** `dueAt` is when a job has something to do with an open request. */
type StoredRequest = RequestRow & { dueAt: number | null };

export const requestsTable: Table<StoredRequest> = {
  name: 'requests',
  columns: {
    id: primaryKey(bytesColumn),
    groupId: bytesColumn,
    platform: textColumn,
    requester: textColumn,
    provider: textColumn,
    workspace: textColumn,
    reason: nullable(sealedColumn({ field: 'reason' })),
    state: textColumn,
    createdAt: integerColumn,
    expiresAt: integerColumn,
    dueAt: nullable(integerColumn),
  },
};
