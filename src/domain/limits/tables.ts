import { column, primaryKey, table } from '../../database/table.ts';

export const rateLimitsTable = table('rate_limits', {
  id: primaryKey(column.bytes),
  tally: column.integer,
  expiresAt: column.integer,
});
