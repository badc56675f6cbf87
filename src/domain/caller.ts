import type { Account } from './accounts/accounts.ts';
import type { ClientInfo } from './audit/audit.ts';

/** Who calls: the account behind the request, if any, and the client that it came from. */
export type Caller = { account: Account | null; client: ClientInfo };
