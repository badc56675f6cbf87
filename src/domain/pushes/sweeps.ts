import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'sequelize';
import { type Database, listOf } from '../../database/database.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { Observer } from '../observer.ts';
import type { PushSettings } from '../settings.ts';
import { erasure } from './erasure.ts';

type Parts = { database: Database; outbox: Outbox; settings: PushSettings; observer: Observer };

type Due = {
  id: Buffer;
  accountId: Buffer | null;
  notify: number;
  expiresAt: number;
  viewsUsed: number;
  now: number;
};

const batchSize = 200;
/** Between batches others get at the database, and at this process. */
const breathMs = 5;

/**
 * What time does to pushes, in batches by the index of their deadlines, on any number of processes at once. A push that
 * is due is refused on every read whether or not this has run. Each function goes on until nothing is due or `isStopping`
 * says so, and gives the number of pushes that it changed.
 */
export function createSweeps({ database, outbox, settings, observer }: Parts) {
  const { rows, change, unitOfWork, dialect, scrub } = database;

  const due = (condition: string, transaction: Transaction) =>
    rows<Due>(
      `SELECT id, account_id AS accountId, notify, expires_at AS expiresAt, views_used AS viewsUsed, ${dialect.now} AS now
       FROM pushes WHERE due_at <= ${dialect.now} AND ${condition}
       ORDER BY due_at LIMIT ${batchSize} ${dialect.skipLocked}`,
      {},
      { transaction },
    );

  /** Erases pushes whose time has come, and leaves word of it. */
  async function expireDue(isStopping = () => false): Promise<number> {
    const find = (transaction: Transaction) => due(`expires_at <= ${dialect.now}`, transaction);
    const assignments = erasure(dialect, settings, 'expires_at');
    const count = await batches(isStopping, find, async (found, { names, binds }, transaction) => {
      await change(`UPDATE pushes SET ${assignments} WHERE id IN (${names})`, binds, { transaction });
      const isTold = await outbox.writeAll('expired_by_time', found, transaction);
      return () => {
        for (const { now, expiresAt } of found) observer.erased(now - expiresAt);
        if (isTold) outbox.announce();
      };
    });
    await scrub();
    return count;
  }

  /** Leaves word of pushes that are about to expire and that nobody has seen. */
  async function remindUnread(isStopping = () => false): Promise<number> {
    const find = (transaction: Transaction) => due(`expires_at > ${dialect.now}`, transaction);
    return batches(isStopping, find, async (found, { names, binds }, transaction) => {
      await change(`UPDATE pushes SET due_at = expires_at WHERE id IN (${names})`, binds, { transaction });
      const unread = found.filter(({ viewsUsed }) => viewsUsed === 0);
      const isTold = await outbox.writeAll('about_to_expire', unread, transaction);
      return () => isTold && outbox.announce();
    });
  }

  /** Deletes the rows of pushes whose end is long past and that nobody is to be told of any more, with their logs. */
  async function purge(isStopping = () => false): Promise<number> {
    const find = (transaction: Transaction) =>
      rows<{ id: Buffer }>(
        `SELECT id FROM pushes WHERE purge_at <= ${dialect.now}
           AND NOT EXISTS (SELECT 1 FROM notices WHERE push_id = pushes.id AND due_at IS NOT NULL)
         ORDER BY purge_at LIMIT ${batchSize} ${dialect.skipLocked}`,
        {},
        { transaction },
      );
    return batches(isStopping, find, async (_found, { names, binds }, transaction) => {
      await change(`DELETE FROM audit_rows WHERE push_id IN (${names})`, binds, { transaction });
      await change(`DELETE FROM notices WHERE push_id IN (${names})`, binds, { transaction });
      await change(`DELETE FROM pushes WHERE id IN (${names})`, binds, { transaction });
    });
  }

  /** Each batch is found and dealt with in one transaction; what `act` gives is called once that is committed. */
  async function batches<Row extends { id: Buffer }>(
    isStopping: () => boolean,
    find: (transaction: Transaction) => Promise<Row[]>,
    act: (
      found: Row[],
      ids: ReturnType<typeof listOf>,
      transaction: Transaction,
    ) => Promise<(() => void) | undefined>,
  ): Promise<number> {
    let total = 0;
    while (!isStopping()) {
      const { changed, committed } = await unitOfWork(async (transaction) => {
        const found = await find(transaction);
        if (found.length === 0) return { changed: 0 };
        const ids = listOf(found.map(({ id }) => id));
        return { changed: found.length, committed: await act(found, ids, transaction) };
      });
      committed?.();
      total += changed;
      if (changed < batchSize) break;
      await sleep(breathMs);
    }
    return total;
  }

  /** How many pushes are past their time and not yet erased, and for how long the first of them has been. */
  async function overdue(): Promise<{ waiting: number; lateMs: number }> {
    const [row] = await rows<{ waiting: number; lateMs: number | null }>(
      `SELECT COUNT(*) AS waiting, ${dialect.now} - MIN(expires_at) AS lateMs
       FROM pushes WHERE due_at <= ${dialect.now} AND expires_at <= ${dialect.now}`,
      {},
    );
    return { waiting: Number(row?.waiting), lateMs: Math.max(0, Number(row?.lateMs ?? 0)) };
  }

  return { expireDue, remindUnread, purge, overdue };
}
