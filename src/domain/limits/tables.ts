import { bytesColumn, integerColumn, primaryKey, type Table } from '../../database/table.ts';

export const rateLimitsTable: Table<{ id: Buffer; tally: number; expiresAt: number }> = {
  name: 'rate_limits',
  columns: { id: primaryKey(bytesColumn), tally: integerColumn, expiresAt: integerColumn },
};
