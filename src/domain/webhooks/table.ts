import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  references,
  sealedColumn,
  type Table,
} from '../../database/table.ts';

export type WebhookRow = {
  id: Buffer;
  accountId: Buffer;
  url: Buffer;
  secret: Buffer;
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
    createdAt: integerColumn,
    failingSince: nullable(integerColumn),
    disabledAt: nullable(integerColumn),
  },
};
