import { type Database, listOf } from '../database.ts';
import { newId } from '../ids.ts';
import type { PushKind } from '../pushes/push.ts';
import type { NoticeEvent } from './choice.ts';

/** A notice that this process has for itself until the lease ends, with what there is to tell of its push. */
export type Leased = {
  id: Buffer;
  pushId: Buffer;
  event: NoticeEvent;
  messenger: string;
  address: string;
  times: number;
  viewsUsed: number;
  happenedAt: number;
  createdAt: number;
  attempts: number;
  now: number;
  /** null once the push is gone, as is the rest of it. */
  kind: PushKind | null;
  name: Buffer | null;
  tokenSealed: Buffer | null;
  viewsMax: number;
  pushCreatedAt: number;
  expiresAt: number;
};

/** The oldest first, or the newest. */
export type Order = 'ASC' | 'DESC';

/** What one process took at once. */
export type Batch = { lease: Buffer; taken: Leased[] };

export const leaseMs = 60_000;
export const batchSize = 10;
const textMax = 255;

export type Leases = ReturnType<typeof createLeases>;

/**
 * Notices are taken under a lease by the database's clock, on any number of processes at once: a process that dies leaves
 * them to be taken again, and one whose lease has ended can settle nothing.
 */
export function createLeases({ rows, change, unitOfWork, retrying, dialect }: Database) {
  /** Takes notices that are due; none are left when it takes none. */
  async function take(order: Order): Promise<Batch> {
    const lease = newId();
    const [any] = await rows(`SELECT 1 FROM notices WHERE due_at <= ${dialect.now} LIMIT 1`, {});
    if (any === undefined) return { lease, taken: [] }; // as a rule, and nothing was locked
    const taken = await unitOfWork(async (transaction) => {
      const due = await rows<{ id: Buffer }>(
        `SELECT id FROM notices WHERE due_at <= ${dialect.now} ORDER BY due_at ${order} LIMIT ${batchSize} ${dialect.skipLocked}`,
        {},
        { transaction },
      );
      if (due.length === 0) return [];
      const { names, binds } = listOf(due.map(({ id }) => id));
      await change(
        `UPDATE notices SET lease = $lease, due_at = ${dialect.now} + ${leaseMs}, attempts = attempts + 1, is_open = NULL
         WHERE id IN (${names})`,
        { ...binds, lease },
        { transaction },
      );
      return rows<Leased>(
        `SELECT n.id, n.push_id AS pushId, n.event, n.messenger, n.address, n.times, n.views_used AS viewsUsed,
           n.happened_at AS happenedAt, n.created_at AS createdAt, n.attempts, ${dialect.now} AS now,
           p.kind, p.name, p.token_sealed AS tokenSealed, p.views_max AS viewsMax, p.created_at AS pushCreatedAt,
           p.expires_at AS expiresAt
         FROM notices n LEFT JOIN pushes p ON p.id = n.push_id WHERE n.id IN (${names})`,
        binds,
        { transaction },
      );
    });
    return { lease, taken };
  }

  async function settle(
    lease: Buffer,
    ids: Buffer[],
    assignments: string,
    values: { reason?: string; afterMs?: number } = {},
  ): Promise<void> {
    if (ids.length === 0) return;
    const { names, binds } = listOf(ids);
    await retrying(() =>
      change(`UPDATE notices SET lease = NULL, ${assignments} WHERE id IN (${names}) AND lease = $lease`, {
        ...binds,
        ...values,
        lease,
      }),
    );
  }

  return {
    take,
    sent: (lease: Buffer, ids: Buffer[]) =>
      settle(
        lease,
        ids,
        `sent_at = ${dialect.now}, ended_at = ${dialect.now}, due_at = NULL, last_problem = NULL`,
      ),
    /** Ends a notice unsent. */
    end: (lease: Buffer, id: Buffer, reason: string) =>
      settle(lease, [id], `ended_at = ${dialect.now}, due_at = NULL, last_problem = $reason`, {
        reason: reason.slice(0, textMax),
      }),
    postpone: (lease: Buffer, id: Buffer, afterMs: number, reason: string) =>
      settle(lease, [id], `due_at = ${dialect.now} + $afterMs, last_problem = $reason`, {
        reason: reason.slice(0, textMax),
        afterMs: Math.ceil(afterMs),
      }),
    /** Puts back notices that were not tried. */
    putBack: (lease: Buffer, ids: Buffer[], afterMs: number) =>
      settle(lease, ids, `due_at = ${dialect.now} + $afterMs, attempts = attempts - 1`, {
        afterMs: Math.ceil(afterMs),
      }),
  };
}
