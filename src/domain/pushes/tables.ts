import {
  bytes,
  flag,
  integer,
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
    notify: integer,
    deletableByViewer: flag,
    retrievalStep: flag,
    viewsMax: integer,
    viewsUsed: integer,
    fileCount: integer,
    filesKey: nullable(bytes),
    createdAt: integer,
    updatedAt: integer,
    expiresAt: integer,
    expiredOn: nullable(integer),
    dueAt: nullable(integer),
    purgeAt: nullable(integer),
    deleted: flag,
    creatorIp: text,
    creatorUserAgent: text,
    creatorReferrer: text,
  },
};

export const spentNoncesTable: Table<{ id: Buffer; expiresAt: number }> = {
  name: 'spent_nonces',
  columns: { id: primaryKey(bytes), expiresAt: integer },
};
