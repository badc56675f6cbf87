import { column, nullable, primaryKey, references, table } from '../../database/table.ts';
import type { NoticeEvent } from './events.ts';

export const recipientsTable = table('recipients', {
  accountId: primaryKey(references('accounts', { followsMerge: true })),
  messenger: primaryKey(column.text),
  address: primaryKey(column.text),
  types: nullable(column.text),
});

export const noticesTable = table('notices', {
  id: primaryKey(column.bytes),
  pushId: nullable(references('pushes')),
  requestId: nullable(references('requests')),
  linkRequestId: nullable(references('link_requests')),
  /** What was done to an account, or its sign-in in the security log. */
  actId: nullable(column.bytes),
  /** Of a mail: the account that it is for, the event of its security log that it tells of, or the request link that it brings. */
  subjectId: nullable(column.bytes),
  event: column.textOf<NoticeEvent>(),
  messenger: column.text,
  address: column.text,
  isOpen: nullable(column.flag),
  times: column.integer,
  viewsUsed: column.integer,
  happenedAt: column.integer,
  createdAt: column.integer,
  dueAt: nullable(column.integer),
  attempts: column.integer,
  isRequested: column.flag,
  lease: nullable(column.bytes),
  sentAt: nullable(column.integer),
  endedAt: nullable(column.integer),
  lastProblem: nullable(column.text),
});
