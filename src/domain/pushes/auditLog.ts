import type { Account } from '../accounts/account.ts';
import type { Audit, AuditRow } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { PushFinder } from './find.ts';

type Owner = Caller & { account: Account };

/** Reads the audit log of a push for its owner. Throws `forbidden` for everybody else. */
export function createAuditLog({ audit, finder }: { audit: Audit; finder: PushFinder }) {
  /** Returns one page of 50 rows, oldest first. The first page is 1. */
  async function auditLog(urlToken: string, page: number, caller: Owner): Promise<AuditRow[]> {
    return audit.page((await finder.requireOwned(urlToken, caller)).id, page);
  }

  /** Returns the newest rows, and how many older ones there are. */
  async function recentAuditLog(urlToken: string, count: number, caller: Owner) {
    return audit.newest((await finder.requireOwned(urlToken, caller)).id, count);
  }

  return { auditLog, recentAuditLog };
}
