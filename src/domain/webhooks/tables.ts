import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  references,
  sealedColumn,
  type Table,
  textColumn,
} from '../../database/table.ts';

export type WebhookRow = {
  id: Buffer;
  accountId: Buffer;
  url: Buffer;
  secret: Buffer;
  /** The secret before this one. It signs too, until `previousSecretUntil`. */
  previousSecret: Buffer | null;
  previousSecretUntil: number | null;
  /** The types of events that it gets, encoded; all if null. */
  types: string | null;
  createdAt: number;
  failingSince: number | null;
  disabledAt: number | null;
};

export const webhooksTable: Table<WebhookRow> = {
  name: 'webhooks',
  columns: {
    id: primaryKey(bytesColumn),
    accountId: references('accounts', { followsMerge: true }),
    url: sealedColumn({ field: 'webhook_url' }),
    secret: sealedColumn({ field: 'webhook_secret' }),
    previousSecret: nullable(sealedColumn({ field: 'previous_webhook_secret' })),
    previousSecretUntil: nullable(integerColumn),
    types: nullable(textColumn),
    createdAt: integerColumn,
    failingSince: nullable(integerColumn),
    disabledAt: nullable(integerColumn),
  },
};
