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

export type AccountRow = {
  id: Buffer;
  email: string;
  passwordHash: string | null;
  subscribed: boolean;
  isAdmin: boolean;
  disabledAt: number | null;
  locale: string | null;
  /** Notice preferences, encoded. */
  notify: number;
  createdAt: number;
};

export const accountsTable: Table<AccountRow> = {
  name: 'accounts',
  columns: {
    id: primaryKey(bytes),
    email: text,
    passwordHash: nullable(text),
    subscribed: flagColumn,
    isAdmin: flagColumn,
    disabledAt: nullable(integerColumn),
    locale: nullable(text),
    notify: integerColumn,
    createdAt: integerColumn,
  },
};

export type ApiTokenRow = {
  id: Buffer;
  accountId: Buffer;
  name: string;
  digest: Buffer;
  hint: string;
  createdAt: number;
  lastUsedAt: number | null;
};

export const apiTokensTable: Table<ApiTokenRow> = {
  name: 'api_tokens',
  columns: {
    id: primaryKey(bytes),
    accountId: references('accounts'),
    name: text,
    digest: bytes,
    hint: text,
    createdAt: integerColumn,
    lastUsedAt: nullable(integerColumn),
  },
};

export type SessionRow = {
  id: Buffer;
  accountId: Buffer;
  digest: Buffer;
  ip: string;
  userAgent: string;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
};

export const sessionsTable: Table<SessionRow> = {
  name: 'sessions',
  columns: {
    id: primaryKey(bytes),
    accountId: references('accounts'),
    digest: bytes,
    ip: text,
    userAgent: text,
    createdAt: integerColumn,
    seenAt: integerColumn,
    expiresAt: integerColumn,
  },
};
