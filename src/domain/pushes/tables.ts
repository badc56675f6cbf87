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
import type { Platform } from '../chat/chatUser.ts';
import type { PushRow } from './push.ts';

type StoredPushRow = Omit<PushRow, 'now'>;

type StoredPush = StoredPushRow & {
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

/** The columns of a `PushRow`, which every read of a push needs. */
const read: Table<StoredPushRow>['columns'] = {
  id: primaryKey(bytesColumn),
  accountId: nullable(references('accounts', { followsMerge: true })),
  kind: textColumn,
  encrypted: flagColumn,
  passphraseHash: nullable(textColumn),
  notify: integerColumn,
  label: nullable(sealedColumn({ field: 'push' })),
  fileCount: integerColumn,
  deletableByViewer: flagColumn,
  retrievalStep: flagColumn,
  viewsMax: integerColumn,
  viewsUsed: integerColumn,
  viewsReserved: integerColumn,
  createdAt: integerColumn,
  updatedAt: integerColumn,
  expiresAt: integerColumn,
  lifetimeMs: integerColumn,
  expiresAtMax: nullable(integerColumn),
  expiredOn: nullable(integerColumn),
  deleted: flagColumn,
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
