import {
  column,
  columnsOf,
  nullable,
  primaryKey,
  type RowOf,
  references,
  rowReader,
  type Sealed,
  table,
} from '../../database/table.ts';
import type { mailMessenger } from '../mail/index.ts';
import type { Platform } from '../people/index.ts';
import { eachFlag } from './flags.ts';
import type { PushKind } from './payload.ts';

const sealedWithToken = (field: string): Sealed => ({ field, secret: 'url token', endsAt: 'expires_at' });

const platform = column.textOf<Platform>();

/** How a recipient is known: in a chat, or by an e-mail address. */
export type RecipientPlatform = Platform | typeof mailMessenger;

/** The columns that whoever may see a push sees as they are. */
const shown = {
  kind: column.textOf<PushKind>(),
  /** Whether its creator encrypted payload and files under a key that this service does not have. */
  encrypted: column.flag,
  ...eachFlag(() => column.flag),
  viewsMax: column.integer,
  viewsUsed: column.integer,
  createdAt: column.integer,
  updatedAt: column.integer,
  expiresAt: column.integer,
  deleted: column.flag,
};

const shownTable = table('pushes', shown);

/** What whoever may see a push sees as it is stored. Times are epoch milliseconds. */
export type ShownFields = RowOf<typeof shownTable>;

/** The names of those columns. */
export const shownFields = Object.keys(shown) as (keyof ShownFields)[];

/** The columns that every read of a push needs. */
const read = {
  ...shown,
  id: primaryKey(column.bytes),
  accountId: nullable(references('accounts', { followsMerge: true })),
  passphraseHash: nullable(column.text),
  /** The owner's notice preferences, encoded. */
  notify: column.integer,
  /** The url token, the name and the note, for the owner. Null for anonymous pushes. */
  label: nullable(column.sealed({ field: 'push' })),
  /** Stays after the push ends, when its files are gone. */
  fileCount: column.integer,
  /** How many of the unused views only recipients can use. */
  viewsReserved: column.integer,
  /** What it was given when it was created. */
  lifetimeMs: column.integer,
  /** The latest end that the rules of its workspace allow; null where there are none. */
  expiresAtMax: nullable(column.integer),
  expiredOn: nullable(column.integer),
};

const readTable = table('pushes', read);

/** A push as stored. `now` is the database's clock at the time of reading. */
export type PushRow = RowOf<typeof readTable> & { now: number };

export const pushesTable = table('pushes', {
  ...read,
  tokenDigest: column.bytes,
  payload: nullable(column.sealed(sealedWithToken('payload'))),
  filesKey: nullable(column.sealed(sealedWithToken('files_key'))),
  /** What the sender says of themselves, for whoever gets the payload. */
  sender: nullable(column.sealed(sealedWithToken('sender'))),
  dueAt: nullable(column.integer),
  purgeAt: nullable(column.integer),
  /** When a viewer first met that it cannot be decrypted. */
  damagedAt: nullable(column.integer),
  creatorIp: column.text,
  creatorUserAgent: column.text,
  creatorReferrer: column.text,
});

export type StoredPush = RowOf<typeof pushesTable>;

/** The columns of a push without its payload, named as in PushRow. `now` is the database's clock as SQL. */
export const pushColumns = (now: string) => `${columnsOf(readTable)}, ${now} AS now`;

/** Converts the booleans of a selected push. */
export const toPushRow = rowReader(readTable);

export const pushRecipientsTable = table('push_recipients', {
  id: primaryKey(column.bytes),
  pushId: references('pushes'),
  platform: nullable(column.textOf<RecipientPlatform>()),
  /** Theirs in the chat, or where mails reach them. */
  address: nullable(column.text),
  name: nullable(column.text),
  /** A name that the sender gave them, or their e-mail address. */
  label: nullable(column.sealed({ field: 'recipient' })),
  tokenDigest: nullable(column.bytes),
  tokenSealed: nullable(column.sealed({ field: 'recipient_token' })),
  tokenExpiresAt: nullable(column.integer),
  isBound: column.flag,
  /** Whether their link opens only with a code that goes to their e-mail address. */
  needsCode: column.flag,
  viewsMax: column.integer,
  viewsUsed: column.integer,
  openedAt: nullable(column.integer),
  lastOpenedAt: nullable(column.integer),
  /** When the sender last reminded them. */
  nudgedAt: nullable(column.integer),
  /** When they want to be reminded. */
  remindAt: nullable(column.integer),
  createdAt: column.integer,
});

export type PushRecipientRow = RowOf<typeof pushRecipientsTable>;

export const recipientCodesTable = table('recipient_codes', {
  /** The code is derived from it. */
  id: primaryKey(column.bytes),
  recipientId: references('push_recipients'),
  /** That of a secret which only the browser has that asked for the code. */
  browserDigest: column.bytes,
  tries: column.integer,
  expiresAt: column.integer,
  /** Until when that browser may open the push; null until the code was entered. */
  provenUntil: nullable(column.integer),
});

export const pushChannelsTable = table('push_channels', {
  pushId: primaryKey(references('pushes')),
  platform: primaryKey(platform),
  address: primaryKey(column.text),
  createdAt: column.integer,
});

/** Used nonces by their digests. */
export const spentNoncesTable = table('spent_nonces', {
  id: primaryKey(column.bytes),
  expiresAt: column.integer,
  /** A sealed ViewCopy. */
  view: nullable(column.sealed({ field: 'view', secret: 'holder', endsAt: 'view_expires_at' })),
  viewExpiresAt: nullable(column.integer),
});

/** Keys by their digests. */
export const idempotencyKeysTable = table('idempotency_keys', {
  id: primaryKey(column.bytes),
  /** A sealed CreationRecord, null while the request is in progress. */
  record: nullable(column.sealed({ field: 'created_push', secret: 'holder', endsAt: 'expires_at' })),
  expiresAt: column.integer,
});
