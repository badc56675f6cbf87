import {
  column,
  nullable,
  primaryKey,
  type RowOf,
  references,
  rowReader,
  table,
} from '../../database/table.ts';
import type { TokenScope } from '../people/index.ts';
import type { ActKind } from './acts.ts';
import type { SecurityKind } from './security/events.ts';
import type { SignInMethod } from './security/signInMethod.ts';

export const accountsTable = table('accounts', {
  id: primaryKey(column.bytes),
  email: column.text,
  passwordHash: nullable(column.text),
  subscribed: column.flag,
  isAdmin: column.flag,
  /** Whether the address is only claimed by whoever signed up with it. */
  signedUp: column.flag,
  /** When it showed that it reads the mails to its address. */
  emailVerifiedAt: nullable(column.integer),
  disabledAt: nullable(column.integer),
  locale: nullable(column.text),
  /** Notice preferences, encoded. */
  notify: column.integer,
  /** What the form on the web suggests to them, as the pages write it. */
  formDefaults: nullable(column.text),
  /** When a webhook or an API token was last created. */
  holdingsChangedAt: nullable(column.integer),
  createdAt: column.integer,
});

export type AccountRow = RowOf<typeof accountsTable>;

/** Converts the booleans among the selected columns of an account. */
export const toAccountRow = rowReader(accountsTable);

export const apiTokensTable = table('api_tokens', {
  id: primaryKey(column.bytes),
  accountId: references('accounts'),
  name: column.text,
  digest: column.bytes,
  hint: column.text,
  scope: column.textOf<TokenScope>(),
  createdAt: column.integer,
  lastUsedAt: nullable(column.integer),
  lastUsedIp: nullable(column.text),
  /** Null if it works until it is revoked. */
  expiresAt: nullable(column.integer),
  /** For what it stands, and with what it is revoked: the token that replaced it, or the trust rule that made it. Null for all that are in the account's list. */
  holderId: nullable(column.bytes),
});

export type ApiTokenRow = RowOf<typeof apiTokensTable>;

export const sessionsTable = table('sessions', {
  id: primaryKey(column.bytes),
  accountId: references('accounts'),
  digest: column.bytes,
  ip: column.text,
  userAgent: column.text,
  /** How it began, and what its owner has proved with; null for sessions of releases that did not note it. */
  way: nullable(column.textOf<SignInMethod['way']>()),
  wayName: nullable(column.text),
  factors: nullable(column.text),
  authenticatedAt: nullable(column.integer),
  createdAt: column.integer,
  seenAt: column.integer,
  expiresAt: column.integer,
});

export const securityEventsTable = table('security_events', {
  id: primaryKey(column.bytes),
  accountId: references('accounts', { followsMerge: true }),
  kind: column.textOf<SecurityKind>(),
  detail: nullable(column.text),
  ip: column.text,
  userAgent: column.text,
  times: column.integer,
  createdAt: column.integer,
  lastAt: column.integer,
});

export const accountActsTable = table('account_acts', {
  id: primaryKey(column.bytes),
  accountId: { ...column.bytes, followsMerge: true },
  account: column.text,
  kind: column.textOf<ActKind>(),
  detail: nullable(column.text),
  actorId: nullable(column.bytes),
  actor: nullable(column.text),
  createdAt: column.integer,
});

/** Whose tokens an account trusts: those of an issuer with the claims, as JSON. */
export const trustRulesTable = table('trust_rules', {
  id: primaryKey(column.bytes),
  accountId: references('accounts'),
  name: column.text,
  issuer: column.text,
  audience: column.text,
  claims: column.text,
  scope: column.textOf<TokenScope>(),
  minutes: column.integer,
  createdAt: column.integer,
  lastUsedAt: nullable(column.integer),
});

export type TrustRuleRow = RowOf<typeof trustRulesTable>;

/** Programs that wait until somebody allows them an API token. */
export const deviceCodesTable = table('device_codes', {
  id: primaryKey(column.bytes),
  digest: column.bytes,
  userCode: column.text,
  /** What the program calls itself, and later the name of the token; so with the scope. */
  name: column.text,
  scope: column.textOf<TokenScope>(),
  ip: column.text,
  userAgent: column.text,
  state: column.textOf<'waiting' | 'allowed' | 'denied'>(),
  accountId: nullable(references('accounts')),
  days: nullable(column.integer),
  intervalSeconds: column.integer,
  polledAt: nullable(column.integer),
  createdAt: column.integer,
  expiresAt: column.integer,
});

/**
 * Whom providers vouch for: an account's ways to sign in besides its password. They end with it, also when it is merged: those who
 * share the other account from a chat cannot sign in to it.
 */
export const providerIdentitiesTable = table('provider_identities', {
  id: primaryKey(column.bytes),
  accountId: references('accounts'),
  issuer: column.text,
  subject: column.text,
  /** As the provider said it last; it identifies nobody. */
  email: nullable(column.text),
  /** Whether the provider said at the last sign-in that it asked for a second factor. */
  hasFactor: column.flag,
  createdAt: column.integer,
  lastUsedAt: column.integer,
});

/** The sessions that a provider began. */
export const providerSessionsTable = table('provider_sessions', {
  id: primaryKey(column.bytes),
  sessionId: references('sessions'),
  issuer: column.text,
  subject: column.text,
  /** The provider's own session (`sid`). */
  providerSession: nullable(column.text),
  /** Names the session when it ends at the provider, too. */
  idToken: nullable(column.sealed({ field: 'id_token' })),
});

/** Tokens of others that were used, by digests, until they are too old to be used again. */
export const spentTokensTable = table('spent_tokens', {
  id: primaryKey(column.bytes),
  expiresAt: column.integer,
});
