import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  references,
  type Table,
  textColumn,
} from '../../database/table.ts';
import type { ChatUser } from '../people/index.ts';

const chatUser = { platform: primaryKey(textColumn), address: primaryKey(textColumn) };

export type IdentityRow = ChatUser & {
  accountId: Buffer;
  name: string | null;
  createdAt: number;
  unreachableSince: number | null;
  /** The language tag that the chat gave last. */
  locale: string | null;
};

export const identitiesTable: Table<IdentityRow> = {
  name: 'chat_identities',
  columns: {
    ...chatUser,
    accountId: references('accounts', { followsMerge: true }),
    name: nullable(textColumn),
    createdAt: integerColumn,
    unreachableSince: nullable(integerColumn),
    locale: nullable(textColumn),
  },
};

export type LinkRequestRow = ChatUser & {
  id: Buffer;
  name: string;
  /** The account that the user will share; null where a browser wants to sign in as them. */
  accountId: Buffer | null;
  browserDigest: Buffer;
  code: string;
  tries: number;
  state: 'open' | 'confirmed';
  expiresAt: number;
};

export const linkRequestsTable: Table<LinkRequestRow> = {
  name: 'link_requests',
  columns: {
    id: primaryKey(bytesColumn),
    platform: textColumn,
    address: textColumn,
    name: textColumn,
    accountId: nullable(references('accounts', { followsMerge: true })),
    browserDigest: bytesColumn,
    code: textColumn,
    tries: integerColumn,
    state: textColumn,
    expiresAt: integerColumn,
  },
};

type MessageRow = ChatUser & {
  subjectId: Buffer;
  channel: string;
  message: string;
  line: string | null;
  lineEvent: string | null;
  lineTimes: number | null;
  lineAt: number | null;
  createdAt: number;
};

/** `subjectId` is the id of a push or a request. */
export const messagesTable: Table<MessageRow> = {
  name: 'chat_messages',
  columns: {
    subjectId: primaryKey(bytesColumn),
    ...chatUser,
    channel: textColumn,
    message: textColumn,
    line: nullable(textColumn),
    lineEvent: nullable(textColumn),
    lineTimes: nullable(integerColumn),
    lineAt: nullable(integerColumn),
    createdAt: integerColumn,
  },
};

export const processedEventsTable: Table<{ id: Buffer; expiresAt: number }> = {
  name: 'processed_events',
  columns: { id: primaryKey(bytesColumn), expiresAt: integerColumn },
};
