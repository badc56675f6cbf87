import type { Account } from '../accounts/accounts.ts';
import type { Audit, AuditRow } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { PushFinder } from './find.ts';

type Owner = Caller & { account: Account };

/** The log of a push, for its owner. Refuses everybody else with `forbidden`. */
export function createAuditLog({ audit, finder }: { audit: Audit; finder: PushFinder }) {
  /** One page of 50, the oldest first; the first page is 1. */
  async function auditLog(urlToken: string, page: number, caller: Owner): Promise<AuditRow[]> {
    return audit.page((await finder.requireOwned(urlToken, caller)).id, page);
  }

  /** The newest rows, and how many there are before them. */
  async function recentAuditLog(urlToken: string, count: number, caller: Owner) {
    return audit.newest((await finder.requireOwned(urlToken, caller)).id, count);
  }

  return { auditLog, recentAuditLog };
}
