import type { AuditRow } from '../audit/index.ts';
import type { Place, PlaceOf } from '../base/index.ts';
import type { AccountCaller } from '../people/index.ts';
import type { PushDependencies } from './dependencies.ts';
import type { PushRecipient } from './push.ts';
import { recipientShownTo } from './shown.ts';

/**
 * An audit row as the owner reads it. `recipient` is through whose link a view came, if through anybody's; `place` is where
 * the address is now, if that is known.
 */
export type AuditEntry = Omit<AuditRow, 'recipientId'> & {
  recipient: PushRecipient | null;
  place: Place | null;
};

/** Reads audit logs of pushes. Those for an owner throw `forbidden` for everybody else. */
export function createAuditLog({ audit, finder, pushRecipients, openPlaces }: PushDependencies) {
  /** Returns one page of rows, oldest first. The first page is 1. */
  async function auditLog(urlToken: string, page: number, caller: AccountCaller): Promise<AuditEntry[]> {
    const { id } = await finder.requireOwned(urlToken, caller);
    return toEntries(id, await audit.page(id, page), caller);
  }

  /** Returns the newest rows, and how many older ones there are. */
  async function recentAuditLog(urlToken: string, count: number, caller: AccountCaller) {
    const { id } = await finder.requireOwned(urlToken, caller);
    const { rows, earlier } = await audit.newest(id, count);
    return { rows: await toEntries(id, rows, caller), earlier };
  }

  async function toEntries(pushId: Buffer, rows: AuditRow[], caller: AccountCaller): Promise<AuditEntry[]> {
    const isNamed = rows.some(({ recipientId }) => recipientId !== null);
    const recipients = isNamed ? await pushRecipients.ofPush(pushId) : [];
    const shown = recipients.map((recipient) => recipientShownTo(caller, recipient));
    return entriesOf(rows, shown, await openPlaces());
  }

  /** The whole logs of a few pushes, one after the other. Does not check who asks. */
  async function auditLogsOf(pushIds: Buffer[]): Promise<(AuditEntry & { pushId: Buffer })[]> {
    const [rows, recipients, placeOf] = await Promise.all([
      audit.ofPushes(pushIds),
      pushRecipients.ofPushes(pushIds.map((id) => id.toString('hex'))),
      openPlaces(),
    ]);
    return entriesOf(rows, [...recipients.values()].flat(), placeOf);
  }

  return { auditLog, recentAuditLog, auditLogsOf };
}

function entriesOf<Row extends AuditRow>(rows: Row[], recipients: PushRecipient[], placeOf: PlaceOf) {
  const byId = new Map(recipients.map((recipient) => [recipient.id, recipient]));
  return rows.map(({ recipientId, ...row }) => ({
    ...row,
    recipient: (recipientId && byId.get(recipientId.toString('hex'))) ?? null,
    place: placeOf(row.ip),
  }));
}
