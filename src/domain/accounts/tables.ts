import {
  bytesColumn,
  flagColumn,
  integerColumn,
  nullable,
  primaryKey,
  references,
  rowReader,
  type Table,
  textColumn,
} from '../../database/table.ts';
import type { TokenScope } from '../people/index.ts';
import type { ActRow } from './acts.ts';

export type AccountRow = {
  id: Buffer;
  email: string;
  passwordHash: string | null;
  subscribed: boolean;
  isAdmin: boolean;
  /** Whether the address is only claimed by whoever signed up with it. */
  signedUp: boolean;
  disabledAt: number | null;
  locale: string | null;
  /** Notice preferences, encoded. */
  notify: number;
  /** When a webhook or an API token was last created. */
  holdingsChangedAt: number | null;
  createdAt: number;
};

export const accountsTable: Table<AccountRow> = {
  name: 'accounts',
  columns: {
    id: primaryKey(bytesColumn),
    email: textColumn,
    passwordHash: nullable(textColumn),
    subscribed: flagColumn,
    isAdmin: flagColumn,
    signedUp: flagColumn,
    disabledAt: nullable(integerColumn),
    locale: nullable(textColumn),
    notify: integerColumn,
    holdingsChangedAt: nullable(integerColumn),
    createdAt: integerColumn,
  },
};

/** Converts the booleans among the selected columns of an account. */
export const toAccountRow = rowReader(accountsTable);

export type ApiTokenRow = {
  id: Buffer;
  accountId: Buffer;
  name: string;
  digest: Buffer;
  hint: string;
  scope: TokenScope;
  createdAt: number;
  lastUsedAt: number | null;
  /** Null if it works until it is revoked. */
  expiresAt: number | null;
};

export const apiTokensTable: Table<ApiTokenRow> = {
  name: 'api_tokens',
  columns: {
    id: primaryKey(bytesColumn),
    accountId: references('accounts'),
    name: textColumn,
    digest: bytesColumn,
    hint: textColumn,
    scope: textColumn,
    createdAt: integerColumn,
    lastUsedAt: nullable(integerColumn),
    expiresAt: nullable(integerColumn),
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
    id: primaryKey(bytesColumn),
    accountId: references('accounts'),
    digest: bytesColumn,
    ip: textColumn,
    userAgent: textColumn,
    createdAt: integerColumn,
    seenAt: integerColumn,
    expiresAt: integerColumn,
  },
};

export const accountActsTable: Table<ActRow> = {
  name: 'account_acts',
  columns: {
    id: primaryKey(bytesColumn),
    accountId: { ...bytesColumn, followsMerge: true },
    account: textColumn,
    kind: textColumn,
    detail: nullable(textColumn),
    actorId: nullable(bytesColumn),
    actor: nullable(textColumn),
    createdAt: integerColumn,
  },
};
