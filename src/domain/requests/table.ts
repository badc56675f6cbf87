import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
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
    reason: nullable(bytesColumn),
    state: textColumn,
    createdAt: integerColumn,
    expiresAt: integerColumn,
  },
};
