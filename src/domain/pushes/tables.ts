import {
  bytesColumn,
  columnsOf,
  flagColumn,
  integerColumn,
  nullable,
  primaryKey,
  references,
  rowReader,
  type Sealed,
  sealedColumn,
  type Table,
  textColumn,
} from '../../database/table.ts';
import type { Platform } from '../people/index.ts';
import { eachFlag } from './flags.ts';
import type { PushRow, ShownFields } from './push.ts';

type ShownField = keyof ShownFields;

type StoredPushRow = Omit<PushRow, 'now'>;

export type StoredPush = StoredPushRow & {
  tokenDigest: Buffer;
  payload: Buffer | null;
  filesKey: Buffer | null;
  dueAt: number | null;
  purgeAt: number | null;
  /** When a viewer first met that it cannot be decrypted. */
  damagedAt: number | null;
  creatorIp: string;
  creatorUserAgent: string;
  creatorReferrer: string;
};

const sealedWithToken = (field: string): Sealed => ({ field, secret: 'url token', endsAt: 'expires_at' });

/** The columns that whoever may see a push sees as they are. */
const shown: Pick<Table<StoredPushRow>['columns'], ShownField> = {
  kind: textColumn,
  encrypted: flagColumn,
  ...eachFlag(() => flagColumn),
  viewsMax: integerColumn,
  viewsUsed: integerColumn,
  createdAt: integerColumn,
  updatedAt: integerColumn,
  expiresAt: integerColumn,
  deleted: flagColumn,
};

/** The names of those columns. */
export const shownFields = Object.keys(shown) as ShownField[];

/** The columns of a `PushRow`, which every read of a push needs. */
const read: Table<StoredPushRow>['columns'] = {
  ...shown,
  id: primaryKey(bytesColumn),
  accountId: nullable(references('accounts', { followsMerge: true })),
  passphraseHash: nullable(textColumn),
  notify: integerColumn,
  label: nullable(sealedColumn({ field: 'push' })),
  fileCount: integerColumn,
  viewsReserved: integerColumn,
  lifetimeMs: integerColumn,
  expiresAtMax: nullable(integerColumn),
  expiredOn: nullable(integerColumn),
};

export const pushesTable: Table<StoredPush> = {
  name: 'pushes',
  columns: {
    ...read,
    tokenDigest: bytesColumn,
    payload: nullable(sealedColumn(sealedWithToken('payload'))),
    filesKey: nullable(sealedColumn(sealedWithToken('files_key'))),
    dueAt: nullable(integerColumn),
    purgeAt: nullable(integerColumn),
    damagedAt: nullable(integerColumn),
    creatorIp: textColumn,
    creatorUserAgent: textColumn,
    creatorReferrer: textColumn,
  },
};

/** The columns of a push without its payload, named as in PushRow. `now` is the database's clock as SQL. */
export const pushColumns = (now: string) => `${columnsOf({ name: 'pushes', columns: read })}, ${now} AS now`;

/** Converts the booleans of a selected push. */
export const toPushRow = rowReader<StoredPushRow>({ name: 'pushes', columns: read });

export type PushRecipientRow = {
  id: Buffer;
  pushId: Buffer;
  platform: Platform | null;
  address: string | null;
  name: string | null;
  label: Buffer | null;
  tokenDigest: Buffer | null;
  tokenSealed: Buffer | null;
  tokenExpiresAt: number | null;
  isBound: boolean;
  viewsMax: number;
  viewsUsed: number;
  openedAt: number | null;
  lastOpenedAt: number | null;
  /** When the sender last reminded them. */
  nudgedAt: number | null;
  /** When they want to be reminded. */
  remindAt: number | null;
  createdAt: number;
};

export const pushRecipientsTable: Table<PushRecipientRow> = {
  name: 'push_recipients',
  columns: {
    id: primaryKey(bytesColumn),
    pushId: references('pushes'),
    platform: nullable(textColumn),
    address: nullable(textColumn),
    name: nullable(textColumn),
    label: nullable(sealedColumn({ field: 'recipient' })),
    tokenDigest: nullable(bytesColumn),
    tokenSealed: nullable(sealedColumn({ field: 'recipient_token' })),
    tokenExpiresAt: nullable(integerColumn),
    isBound: flagColumn,
    viewsMax: integerColumn,
    viewsUsed: integerColumn,
    openedAt: nullable(integerColumn),
    lastOpenedAt: nullable(integerColumn),
    nudgedAt: nullable(integerColumn),
    remindAt: nullable(integerColumn),
    createdAt: integerColumn,
  },
};

type PushChannelRow = { pushId: Buffer; platform: Platform; address: string; createdAt: number };

export const pushChannelsTable: Table<PushChannelRow> = {
  name: 'push_channels',
  columns: {
    pushId: primaryKey(references('pushes')),
    platform: primaryKey(textColumn),
    address: primaryKey(textColumn),
    createdAt: integerColumn,
  },
};

type SpentNonceRow = { id: Buffer; expiresAt: number; view: Buffer | null; viewExpiresAt: number | null };

/** Used nonces by their digests. `view` is a sealed ViewCopy. */
export const spentNoncesTable: Table<SpentNonceRow> = {
  name: 'spent_nonces',
  columns: {
    id: primaryKey(bytesColumn),
    expiresAt: integerColumn,
    view: nullable(sealedColumn({ field: 'view', secret: 'holder', endsAt: 'view_expires_at' })),
    viewExpiresAt: nullable(integerColumn),
  },
};

type IdempotencyKeyRow = { id: Buffer; record: Buffer | null; expiresAt: number };

/** Keys by their digests. `record` is a sealed CreationRecord, null while the request is in progress. */
export const idempotencyKeysTable: Table<IdempotencyKeyRow> = {
  name: 'idempotency_keys',
  columns: {
    id: primaryKey(bytesColumn),
    record: nullable(sealedColumn({ field: 'created_push', secret: 'holder', endsAt: 'expires_at' })),
    expiresAt: integerColumn,
  },
};
