import { bytes, integerColumn, nullable, primaryKey, type Table, text } from '../../database/table.ts';
import type { RequestRow } from './request.ts';

export const requestsTable: Table<RequestRow> = {
  name: 'requests',
  columns: {
    id: primaryKey(bytes),
    platform: text,
    requester: text,
    provider: text,
    reason: nullable(bytes),
    state: text,
    createdAt: integerColumn,
    expiresAt: integerColumn,
  },
};
