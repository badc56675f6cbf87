import type { Account } from './accounts/account.ts';
import type { ClientInfo } from './client.ts';

/** The caller: the account of the request, if any, and its client. */
export type Caller = { account: Account | null; client: ClientInfo };

/** A caller with an account. */
export type AccountCaller = Caller & { account: Account };
