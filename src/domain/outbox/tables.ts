import {
  bytesColumn,
  flagColumn,
  integerColumn,
  nullable,
  primaryKey,
  references,
  type Table,
  textColumn,
} from '../../database/table.ts';
import type { NoticeEvent } from './events.ts';

type RecipientRow = { accountId: Buffer; messenger: string; address: string; types: string | null };

export const recipientsTable: Table<RecipientRow> = {
  name: 'recipients',
  columns: {
    accountId: primaryKey(references('accounts', { followsMerge: true })),
    messenger: primaryKey(textColumn),
    address: primaryKey(textColumn),
    types: nullable(textColumn),
  },
};

type NoticeRow = {
  id: Buffer;
  pushId: Buffer | null;
  requestId: Buffer | null;
  linkRequestId: Buffer | null;
  actId: Buffer | null;
  event: NoticeEvent;
  messenger: string;
  address: string;
  isOpen: boolean | null;
  times: number;
  viewsUsed: number;
  happenedAt: number;
  createdAt: number;
  dueAt: number | null;
  attempts: number;
  isRequested: boolean;
  lease: Buffer | null;
  sentAt: number | null;
  endedAt: number | null;
  lastProblem: string | null;
};

export const noticesTable: Table<NoticeRow> = {
  name: 'notices',
  columns: {
    id: primaryKey(bytesColumn),
    pushId: nullable(references('pushes')),
    requestId: nullable(references('requests')),
    linkRequestId: nullable(references('link_requests')),
    actId: nullable(bytesColumn),
    event: textColumn,
    messenger: textColumn,
    address: textColumn,
    isOpen: nullable(flagColumn),
    times: integerColumn,
    viewsUsed: integerColumn,
    happenedAt: integerColumn,
    createdAt: integerColumn,
    dueAt: nullable(integerColumn),
    attempts: integerColumn,
    isRequested: flagColumn,
    lease: nullable(bytesColumn),
    sentAt: nullable(integerColumn),
    endedAt: nullable(integerColumn),
    lastProblem: nullable(textColumn),
  },
};
