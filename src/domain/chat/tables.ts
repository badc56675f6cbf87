import { bytes, integer, nullable, primaryKey, references, type Table, text } from '../../database/table.ts';
import type { ChatUser, Platform } from './chatUser.ts';

const chatUser = { platform: primaryKey(text), address: primaryKey(text) };

export const identitiesTable: Table<
  ChatUser & { accountId: Buffer; name: string | null; createdAt: number; unreachableSince: number | null }
> = {
  name: 'chat_identities',
  columns: {
    ...chatUser,
    accountId: references('accounts', { followsMerge: true }),
    name: nullable(text),
    createdAt: integer,
    unreachableSince: nullable(integer),
  },
};

/** `address` is that of a person, or names a workspace. */
export const settingsTable: Table<ChatUser & { settings: string }> = {
  name: 'chat_settings',
  columns: { ...chatUser, settings: text },
};

/** `subjectId` is the id of a push or a request. */
export const messagesTable: Table<
  ChatUser & { subjectId: Buffer; channel: string; message: string; createdAt: number }
> = {
  name: 'chat_messages',
  columns: {
    subjectId: primaryKey(bytes),
    ...chatUser,
    channel: text,
    message: text,
    createdAt: integer,
  },
};

export const oneTimeLinksTable: Table<{
  digest: Buffer;
  id: Buffer;
  purpose: string;
  context: Buffer;
  expiresAt: number;
}> = {
  name: 'one_time_links',
  columns: { digest: primaryKey(bytes), id: bytes, purpose: text, context: bytes, expiresAt: integer },
};

export const processedEventsTable: Table<{ id: Buffer; expiresAt: number }> = {
  name: 'processed_events',
  columns: { id: primaryKey(bytes), expiresAt: integer },
};

export const installationsTable: Table<{
  id: Buffer;
  platform: Platform;
  workspace: string;
  person: string;
  label: string | null;
  sealed: Buffer;
  firstAt: number;
  installedAt: number;
}> = {
  name: 'installations',
  columns: {
    id: primaryKey(bytes),
    platform: text,
    workspace: text,
    person: text,
    label: nullable(text),
    sealed: bytes,
    firstAt: integer,
    installedAt: integer,
  },
};
