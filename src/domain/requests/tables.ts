import { column, nullable, primaryKey, type RowOf, table } from '../../database/table.ts';
import type { Platform } from '../people/index.ts';

export type RequestState = 'open' | 'provided' | 'declined' | 'cancelled' | 'undelivered' | 'expired';

export const requestsTable = table('requests', {
  id: primaryKey(column.bytes),
  groupId: column.bytes,
  platform: column.textOf<Platform>(),
  requester: column.text,
  provider: column.text,
  workspace: column.text,
  reason: nullable(column.sealed({ field: 'reason' })),
  state: column.textOf<RequestState>(),
  createdAt: column.integer,
  expiresAt: column.integer,
  /** When a job has something to do with an open request. */
  dueAt: nullable(column.integer),
});

export type RequestRow = Omit<RowOf<typeof requestsTable>, 'dueAt'>;
