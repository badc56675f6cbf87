import { newId } from '../../crypto/ids.ts';
import { type Database, forEachRow, inList, statementMsMax } from '../../database/database.ts';
import { minuteMs } from '../../time.ts';
import type { NoticeEvent } from '../outbox/index.ts';
import type { NoticeAddress } from '../people/index.ts';
import type { PushKind } from '../pushes/index.ts';

/** A notice that this process has leased, with the push it is about. */
export type LeasedNotice = {
  id: Buffer;
  lease: Buffer;
  /** A notice is about a push, a request, a link request, or what was done to an account. */
  pushId: Buffer | null;
  requestId: Buffer | null;
  linkRequestId: Buffer | null;
  actId: Buffer | null;
  subjectId: Buffer | null;
  event: NoticeEvent;
  messenger: string;
  address: string;
  times: number;
  viewsUsed: number;
  happenedAt: number;
  createdAt: number;
  attempts: number;
  /** Whether the owner of its address has asked for it, so that it waits for no pause. */
  isRequested: boolean;
  now: number;
  /** Null for a request, like the rest of the push. */
  kind: PushKind | null;
  label: Buffer | null;
  viewsMax: number;
  pushCreatedAt: number;
  expiresAt: number;
  /** Whether its push has recipients. */
  hasRecipients: number;
};

/** Reads a LeasedNotice, as SQL for a WHERE to follow. `now` is the database's clock as SQL. */
const selectLeased = (now: string) =>
  `SELECT n.id, n.lease, n.push_id AS pushId, n.request_id AS requestId, n.link_request_id AS linkRequestId, n.act_id AS actId, n.subject_id AS subjectId,
    n.event, n.messenger, n.address, n.times, n.views_used AS viewsUsed,
    n.happened_at AS happenedAt, n.created_at AS createdAt, n.attempts,
    n.is_requested AS isRequested, ${now} AS now,
    p.kind, p.label, p.views_max AS viewsMax, p.created_at AS pushCreatedAt,
    p.expires_at AS expiresAt,
    EXISTS (SELECT 1 FROM push_recipients r WHERE r.push_id = p.id) AS hasRecipients
  FROM notices n LEFT JOIN pushes p ON p.id = n.push_id`;

/** Oldest first, or newest first. */
export type Order = 'ASC' | 'DESC';

export const leaseMs = minuteMs;
const textMax = 255;

export type NoticeQueue = ReturnType<typeof createNoticeQueue>;

/** Of events with the same time, these come first: the others may follow from them. */
const causes = "('shared', 'composed', 'viewed', 'failed_passphrase')";

/** Notices of a push reach an address in the order of their events: each waits until the earlier ones have ended. */
const isNext = `NOT EXISTS (SELECT 1 FROM notices earlier
  WHERE earlier.push_id = notices.push_id AND earlier.messenger = notices.messenger
    AND earlier.address = notices.address AND earlier.ended_at IS NULL
    AND (earlier.created_at < notices.created_at
      OR (earlier.created_at = notices.created_at AND earlier.event IN ${causes} AND notices.event NOT IN ${causes})))`;

/**
 * Leases notices by the database's clock, on any number of processes at once. If a process dies, others lease its
 * notices again. A process whose lease has ended cannot record results.
 */
export function createNoticeQueue({ select, execute, transaction, dialect }: Database) {
  const stillLeased = forEachRow('(id = $id AND lease = $lease)', { separator: ' OR ' });

  /** Leases up to `count` due notices in this order, except for these destinations, and all of these messengers. */
  async function lease(
    count: number,
    order: Order,
    except: { destinations: NoticeAddress[]; messengers: string[] },
  ): Promise<LeasedNotice[]> {
    const { isDue, binds: excepted } = dueExcept(except);
    const [any] = await select(`SELECT 1 FROM notices WHERE ${isDue} LIMIT 1`, excepted);
    if (any === undefined) return []; // the usual case, without any lock
    const lease = newId();
    return transaction(async (tx) => {
      const due = await tx.select<{ id: Buffer }>(
        `SELECT id FROM notices WHERE ${isDue} ORDER BY due_at ${order} LIMIT ${count} ${dialect.skipLocked}`,
        excepted,
      );
      if (due.length === 0) return [];
      const { names, binds } = inList(due.map(({ id }) => id));
      await tx.execute(
        `UPDATE notices SET lease = $lease, due_at = ${dialect.now} + ${leaseMs}, attempts = attempts + 1, is_open = NULL
         WHERE id IN (${names})`,
        { ...binds, lease },
      );
      const leased = await tx.select<LeasedNotice>(
        `${selectLeased(dialect.now)} WHERE n.id IN (${names})`,
        binds,
      );
      const positionOf = ({ id }: LeasedNotice) => due.findIndex((row) => row.id.equals(id));
      return leased.sort((a, b) => positionOf(a) - positionOf(b));
    });
  }

  function dueExcept({ destinations, messengers }: { destinations: NoticeAddress[]; messengers: string[] }) {
    const conditions = [
      ...destinations.map((_, index) => `AND NOT (messenger = $m${index} AND address = $a${index})`),
      ...messengers.map((_, index) => `AND messenger <> $o${index}`),
    ];
    const binds = [
      ...destinations.flatMap(({ messenger, address }, index) => [
        [`m${index}`, messenger],
        [`a${index}`, address],
      ]),
      ...messengers.map((messenger, index) => [`o${index}`, messenger]),
    ];
    return {
      isDue: `due_at <= ${dialect.now} AND ${isNext} ${conditions.join(' ')}`,
      binds: Object.fromEntries(binds),
    };
  }

  /** Updates each notice only while it still has the lease it was read with. */
  async function update(
    notices: LeasedNotice[],
    assignments: string,
    values: { reason?: string; afterMs?: number } = {},
  ): Promise<void> {
    if (notices.length === 0) return;
    const { sql, binds } = stillLeased(notices.map(({ id, lease }) => ({ id, lease })));
    await execute(`UPDATE notices SET lease = NULL, ${assignments} WHERE ${sql}`, {
      ...values,
      ...binds,
    });
  }

  /**
   * Makes due what was leased or written while the database's clock was ahead, and would wait for as long as it was: that
   * of an embedded database is this machine's.
   */
  async function releaseFromFuture(): Promise<void> {
    await execute(
      `UPDATE notices SET lease = NULL, due_at = ${dialect.now}
       WHERE due_at > ${dialect.now} + ${leaseMs + statementMsMax}
         AND (lease IS NOT NULL OR created_at > ${dialect.now} + ${statementMsMax})`,
      {},
    );
  }

  return {
    lease,
    releaseFromFuture,
    markSent: (notices: LeasedNotice[]) =>
      update(
        notices,
        `sent_at = ${dialect.now}, ended_at = ${dialect.now}, due_at = NULL, last_problem = NULL`,
      ),
    /** Ends a notice without sending it. */
    markFailed: (notice: LeasedNotice, reason: string) =>
      update([notice], `ended_at = ${dialect.now}, due_at = NULL, last_problem = $reason`, {
        reason: reason.slice(0, textMax),
      }),
    postpone: (notice: LeasedNotice, afterMs: number, reason: string) =>
      update([notice], `due_at = ${dialect.now} + $afterMs, is_requested = FALSE, last_problem = $reason`, {
        reason: reason.slice(0, textMax),
        afterMs: Math.ceil(afterMs),
      }),
    /** Releases notices that were not tried. */
    release: (notices: LeasedNotice[], afterMs: number) =>
      update(notices, `due_at = ${dialect.now} + $afterMs, attempts = attempts - 1`, {
        afterMs: Math.ceil(afterMs),
      }),
  };
}
