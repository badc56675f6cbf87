import { column, nullable, primaryKey, type RowOf, references, table } from '../../database/table.ts';
import type { Platform } from '../people/index.ts';

const platform = column.textOf<Platform>();
const chatUser = { platform: primaryKey(platform), address: primaryKey(column.text) };

export const identitiesTable = table('chat_identities', {
  ...chatUser,
  accountId: references('accounts', { followsMerge: true }),
  name: nullable(column.text),
  createdAt: column.integer,
  unreachableSince: nullable(column.integer),
  /** The language tag that the chat gave last. */
  locale: nullable(column.text),
});

export const linkRequestsTable = table('link_requests', {
  id: primaryKey(column.bytes),
  platform,
  address: column.text,
  name: column.text,
  /** The account that the user will share; null where a browser wants to sign in as them. */
  accountId: nullable(references('accounts', { followsMerge: true })),
  browserDigest: column.bytes,
  code: column.text,
  tries: column.integer,
  state: column.textOf<'open' | 'confirmed'>(),
  expiresAt: column.integer,
});

export type LinkRequestRow = RowOf<typeof linkRequestsTable>;

export const messagesTable = table('chat_messages', {
  /** The id of a push or a request. */
  subjectId: primaryKey(column.bytes),
  ...chatUser,
  channel: column.text,
  message: column.text,
  line: nullable(column.text),
  lineEvent: nullable(column.text),
  lineTimes: nullable(column.integer),
  lineAt: nullable(column.integer),
  createdAt: column.integer,
});

export const processedEventsTable = table('processed_events', {
  id: primaryKey(column.bytes),
  expiresAt: column.integer,
});
