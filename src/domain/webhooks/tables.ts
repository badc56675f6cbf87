import { column, nullable, primaryKey, type RowOf, references, table } from '../../database/table.ts';

export const webhooksTable = table('webhooks', {
  id: primaryKey(column.bytes),
  accountId: references('accounts', { followsMerge: true }),
  url: column.sealed({ field: 'webhook_url' }),
  secret: column.sealed({ field: 'webhook_secret' }),
  /** The secret before this one. It signs too, until `previousSecretUntil`. */
  previousSecret: nullable(column.sealed({ field: 'previous_webhook_secret' })),
  previousSecretUntil: nullable(column.integer),
  /** The types of events that it gets, encoded; all if null. */
  types: nullable(column.text),
  createdAt: column.integer,
  failingSince: nullable(column.integer),
  disabledAt: nullable(column.integer),
});

export type WebhookRow = RowOf<typeof webhooksTable>;
