import {
  bytes,
  flagColumn,
  integerColumn,
  nullable,
  primaryKey,
  references,
  type Table,
  text,
} from '../../database/table.ts';
import type { PushRow } from './push.ts';

type StoredPush = Omit<PushRow, 'now'> & {
  tokenDigest: Buffer;
  payload: Buffer | null;
  filesKey: Buffer | null;
  dueAt: number | null;
  purgeAt: number | null;
  creatorIp: string;
  creatorUserAgent: string;
  creatorReferrer: string;
};

export const pushesTable: Table<StoredPush> = {
  name: 'pushes',
  columns: {
    id: primaryKey(bytes),
    tokenDigest: bytes,
    tokenSealed: nullable(bytes),
    accountId: nullable(references('accounts', { followsMerge: true })),
    kind: text,
    payload: nullable(bytes),
    passphraseHash: nullable(text),
    name: nullable(bytes),
    note: nullable(bytes),
    notify: integerColumn,
    deletableByViewer: flagColumn,
    retrievalStep: flagColumn,
    viewsMax: integerColumn,
    viewsUsed: integerColumn,
    fileCount: integerColumn,
    filesKey: nullable(bytes),
    createdAt: integerColumn,
    updatedAt: integerColumn,
    expiresAt: integerColumn,
    expiredOn: nullable(integerColumn),
    dueAt: nullable(integerColumn),
    purgeAt: nullable(integerColumn),
    deleted: flagColumn,
    creatorIp: text,
    creatorUserAgent: text,
    creatorReferrer: text,
  },
};

export const spentNoncesTable: Table<{ id: Buffer; expiresAt: number }> = {
  name: 'spent_nonces',
  columns: { id: primaryKey(bytes), expiresAt: integerColumn },
};
