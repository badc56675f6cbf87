import { bytes, integerColumn, nullable, primaryKey, references, type Table } from '../../database/table.ts';

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
    id: primaryKey(bytes),
    accountId: references('accounts', { followsMerge: true }),
    url: bytes,
    secret: bytes,
    createdAt: integerColumn,
    failingSince: nullable(integerColumn),
    disabledAt: nullable(integerColumn),
  },
};
