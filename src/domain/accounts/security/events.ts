import type { Place } from '../../base/index.ts';
import type { Account, ClientInfo } from '../../people/index.ts';
import type { ActKind, Actor } from '../acts.ts';

/** What an account's owner, or somebody who passes for them, does about its sign-in. A new kind needs its texts in `src/locales/`. */
export const securityKinds = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'sessions_ended',
  'step_up_failed',
  'factor_added',
  'factor_removed',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'passkey_count_behind',
  'recovery_codes_renewed',
  'recovery_code_used',
  'address_requested',
  'address_changed',
  'address_verified',
  'password_changed',
  'password_set',
  'token_created',
  'token_replaced',
  'token_revoked',
  'tokens_revoked',
  'token_exchanged',
  'exchange_refused',
  'rule_created',
  'rule_removed',
  'chat_connected',
  'chat_disconnected',
  'provider_connected',
  'provider_disconnected',
] as const;

/** What an account gets mails about: what changes how somebody signs in or acts for it. */
export const mailedKinds: readonly SecurityKind[] = [
  'factor_added',
  'factor_removed',
  'passkey_added',
  'passkey_removed',
  'passkey_count_behind',
  'recovery_codes_renewed',
  'recovery_code_used',
  'address_requested',
  'address_changed',
  'password_changed',
  'password_set',
  'token_created',
  'rule_created',
  'chat_connected',
  'chat_disconnected',
  'provider_connected',
  'provider_disconnected',
];

/** Who does it, if it is not the account itself, and from where. */
export type By = { actor?: Actor | undefined; client?: ClientInfo | undefined };

export type SecurityKind = (typeof securityKinds)[number];

/**
 * Something that happens. `detail` says which, without a secret: the name of a token, of a provider, of a chat. `client` is
 * left out where it was no browser and no program, but a chat or an operator.
 */
export type NewSecurityEvent<Kind extends string = SecurityKind> = {
  kind: Kind;
  account: Pick<Account, 'id'>;
  detail?: string | undefined;
  client?: ClientInfo | undefined;
};

/**
 * An entry of an account's security log. `actor` is null if the account did it, or somebody who passed for it; else an admin's address,
 * or `operator`. Wrong tries are one entry: `times` of them, from `createdAt` to `lastAt`, in epoch milliseconds.
 */
export type SecurityEvent = {
  id: string;
  kind: SecurityKind | ActKind;
  detail: string | null;
  actor: string | null;
  ip: string;
  /** Where the address is now, if that is known. */
  place: Place | null;
  userAgent: string;
  times: number;
  createdAt: number;
  lastAt: number;
};

/** A sign-in from a browser that had not signed in to its account before. `way` is as the `detail` of its event. */
export type NewBrowser = Pick<SecurityEvent, 'ip' | 'place' | 'userAgent' | 'createdAt'> & {
  account: string;
  way: string;
};
