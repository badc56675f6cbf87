import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, inList, type Tx } from '../../database/database.ts';
import { measureBacklog, type Observer, type PushSettings } from '../base/index.ts';
import type { Outbox } from '../outbox/index.ts';
import { erasure } from './erasure.ts';

type Dependencies = { database: Database; outbox: Outbox; settings: PushSettings; observer: Observer };

type DuePush = {
  id: Buffer;
  accountId: Buffer | null;
  notify: number;
  expiresAt: number;
  viewsUsed: number;
  now: number;
};

const batchSize = 200;
/** Yields to other users of the database, and of this process, between batches. */
const pauseMs = 5;

/**
 * Recurring work on pushes, in batches by the index of their deadlines. Safe on any number of processes at once.
 * Reads refuse a due push whether or not a sweep has run. Each function runs until nothing is due or `isStopping`
 * returns true, and returns the number of pushes it changed.
 */
export function createSweeps({ database, outbox, settings, observer }: Dependencies) {
  const { select, transaction, dialect, scrub } = database;

  const due = (condition: string) =>
    `SELECT id, account_id AS accountId, notify, expires_at AS expiresAt, views_used AS viewsUsed, ${dialect.now} AS now
     FROM pushes WHERE due_at <= ${dialect.now} AND ${condition} ORDER BY due_at`;

  /** Erases pushes whose lifetime is over, and notifies their owners. */
  async function expireDue(isStopping = () => false): Promise<number> {
    const ended = due(`expires_at <= ${dialect.now}`);
    const assignments = erasure(dialect, settings, 'expires_at');
    const count = await batches<DuePush>(isStopping, ended, async (found, { names, binds }, tx) => {
      await tx.execute(`UPDATE pushes SET ${assignments} WHERE id IN (${names})`, binds);
      await outbox.writeAll('expired_by_time', found, tx);
      tx.afterCommit(() => {
        for (const { now, expiresAt } of found) observer.erased(now - expiresAt);
      });
    });
    await scrub();
    return count;
  }

  /** Reminds owners of unread pushes that are about to expire. */
  async function remindUnread(isStopping = () => false): Promise<number> {
    const ending = due(`expires_at > ${dialect.now}`);
    return batches<DuePush>(isStopping, ending, async (found, { names, binds }, tx) => {
      await tx.execute(`UPDATE pushes SET due_at = expires_at WHERE id IN (${names})`, binds);
      const unread = found.filter(({ viewsUsed }) => viewsUsed === 0);
      await outbox.writeAll('about_to_expire', unread, tx);
    });
  }

  /** Deletes the rows and audit logs of pushes that ended long ago and have no notices left to deliver. */
  async function purge(isStopping = () => false): Promise<number> {
    const purgeable = `SELECT id FROM pushes WHERE purge_at <= ${dialect.now}
         AND NOT EXISTS (SELECT 1 FROM notices WHERE push_id = pushes.id AND due_at IS NOT NULL)
       ORDER BY purge_at`;
    return batches(isStopping, purgeable, async (_found, { names, binds }, tx) => {
      await tx.execute(`DELETE FROM pushes WHERE id IN (${names})`, binds);
    });
  }

  /** Finds pushes by a SELECT and handles each batch in one transaction. */
  async function batches<Row extends { id: Buffer }>(
    isStopping: () => boolean,
    sql: string,
    handle: (found: Row[], ids: ReturnType<typeof inList>, tx: Tx) => Promise<void>,
  ): Promise<number> {
    const [any] = await select(`${sql} LIMIT 1`, {});
    if (any === undefined) return 0; // the usual case, without a transaction
    let total = 0;
    while (!isStopping()) {
      const changed = await transaction(async (tx) => {
        const found = await tx.select<Row>(`${sql} LIMIT ${batchSize} ${dialect.skipLocked}`, {});
        if (found.length > 0) await handle(found, inList(found.map(({ id }) => id)), tx);
        return found.length;
      });
      total += changed;
      if (changed < batchSize) break;
      await sleep(pauseMs);
    }
    return total;
  }

  /** The pushes whose lifetime is over, and which are not erased yet. */
  const overdue = () =>
    measureBacklog(database, {
      table: 'pushes',
      dueAt: 'expires_at',
      condition: `due_at <= ${dialect.now} AND expires_at <= ${dialect.now}`,
    });

  return { expireDue, remindUnread, purge, overdue };
}
