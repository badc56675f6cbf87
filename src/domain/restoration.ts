import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, inList, type Tx } from '../database/database.ts';
import { SetupError } from '../errors.ts';
import { isoTime } from '../time.ts';
import type { PushSettings } from './base/index.ts';
import { erasure } from './pushes/index.ts';
import { isOpenLink } from './requests/index.ts';

/** Thrown on a restored backup before `finish`. Serving it would give out secrets that are gone. */
export class UnfinishedRestore extends SetupError {}

/** What `finish` ended. */
export type RestoreResult = {
  takenAt: number;
  endedPushes: number;
  endedRequestLinks: number;
  endedSessions: number;
};

type FinishOptions = {
  /** When the backup was taken, by the database's clock; by default, what the backup itself says. */
  takenAt?: number | undefined;
  /** For a backup of a stopped service that has not run since: nothing in it can be out of date. */
  keepsPushes?: boolean | undefined;
};

const batchSize = 200;
const pauseMs = 5;

/**
 * Backups carry a mark, so that a restored one is not served before `finish` has ended what may be gone since: views may
 * have been used, and pushes deleted, after the backup was taken. Only storage outside of the backed-up database could
 * tell which, so every push that was live at that time ends.
 */
export function createRestoration({
  database,
  settings,
}: {
  database: Database;
  settings: Pick<PushSettings, 'retentionMs'>;
}) {
  const { hasTable, select, execute, transaction, dialect, scrub } = database;

  const endedAt = `${dialect.least}(expires_at, ${dialect.now})`;
  const assignments = erasure(dialect, settings, endedAt);

  /** When the backup was taken; undefined if this is none. Works on every schema, and without one. */
  async function markedAt(): Promise<number | undefined> {
    if (!(await hasTable('restored_backups'))) return undefined;
    const [mark] = await select<{ takenAt: number }>(
      'SELECT taken_at AS takenAt FROM restored_backups ORDER BY taken_at DESC LIMIT 1',
      {},
    );
    return mark && Number(mark.takenAt);
  }

  /** Throws UnfinishedRestore on a restored backup. */
  async function requireFinished(): Promise<void> {
    const takenAt = await markedAt();
    if (takenAt === undefined) return;
    throw new UnfinishedRestore(
      `This database is a backup from ${isoTime(takenAt)}, and some of its secrets may be gone since. Run hushpush after-restore.`,
    );
  }

  /** Whether the database has no accounts and no pushes. Works without a schema too. */
  async function isEmpty(): Promise<boolean> {
    if (!(await hasTable('pushes'))) return true;
    const sql = 'SELECT 1 FROM accounts UNION ALL SELECT 1 FROM pushes LIMIT 1';
    return (await select(sql, {})).length === 0;
  }

  /** Notes that a backup was written, for those who watch over backups. Only the last one is known. */
  const noteBackup = (takenAt: number) =>
    transaction(async (tx) => {
      await tx.execute('DELETE FROM backups', {});
      await tx.execute('INSERT INTO backups (taken_at) VALUES ($takenAt)', { takenAt });
    });

  /** When the last backup was taken, by the database's clock; undefined if there was none. */
  async function lastBackupAt(): Promise<number | undefined> {
    const [last] = await select<{ takenAt: number }>('SELECT taken_at AS takenAt FROM backups', {});
    return last && Number(last.takenAt);
  }

  /** How a copy of the database is marked as a backup. */
  const mark = {
    table: 'restored_backups',
    insert: (takenAt: number) => `INSERT INTO restored_backups (taken_at) VALUES (${Math.trunc(takenAt)})`,
  };

  /**
   * Ends every push, request link, session and one-time link that was live when the backup was taken, silently, and removes the mark.
   * Pushes created later are left alone, so it also works, late, on a service that runs. Safe to repeat. Undefined if
   * nothing says when the backup was taken.
   */
  async function finish({
    takenAt,
    keepsPushes = false,
  }: FinishOptions = {}): Promise<RestoreResult | undefined> {
    const marked = await markedAt();
    const until = takenAt ?? marked;
    if (until === undefined) return undefined;
    const endedPushes = keepsPushes ? 0 : await endPushes(until);
    const endedRequestLinks = keepsPushes ? 0 : await closeRequestLinks(until);
    const endedSessions = keepsPushes ? 0 : await endSessions(until);
    if (marked !== undefined) {
      // The processes that these are of served another database.
      for (const table of ['leases', 'processes']) await execute(`DELETE FROM ${table}`, {});
      await execute('DELETE FROM restored_backups', {});
    }
    await scrub();
    return { takenAt: until, endedPushes, endedRequestLinks, endedSessions };
  }

  async function endPushes(until: number): Promise<number> {
    for (let total = 0; ; await sleep(pauseMs)) {
      const ended = await transaction((tx) => endBatch(until, tx));
      total += ended;
      if (ended < batchSize) return total;
    }
  }

  /** Exactly the live pushes have a deadline. */
  async function endBatch(until: number, tx: Tx): Promise<number> {
    const live = await tx.select<{ id: Buffer }>(
      `SELECT id FROM pushes WHERE due_at IS NOT NULL AND created_at <= $until
       ORDER BY due_at LIMIT ${batchSize} ${dialect.forUpdate}`,
      { until },
    );
    if (live.length === 0) return 0;
    const { names, binds } = inList(live.map(({ id }) => id));
    await tx.execute(`UPDATE pushes SET ${assignments} WHERE id IN (${names})`, binds);
    await tx.execute(
      `UPDATE files SET shred_at = ${dialect.now} WHERE push_id IN (${names}) AND shred_at > ${dialect.now}`,
      binds,
    );
    // Nothing that was about to be said of them is certain any more.
    await tx.execute(
      `UPDATE notices SET due_at = NULL, is_open = NULL, ended_at = ${dialect.now}, last_problem = 'restored from a backup'
       WHERE push_id IN (${names}) AND due_at IS NOT NULL`,
      binds,
    );
    return live.length;
  }

  /** A link may have been closed, or used up, since. */
  const closeRequestLinks = (until: number): Promise<number> =>
    execute(
      `UPDATE request_links SET closed_at = ${dialect.now} WHERE created_at <= $until AND ${isOpenLink(dialect.now)}`,
      { until },
    );

  async function endSessions(until: number): Promise<number> {
    await execute('DELETE FROM one_time_links', {});
    await execute(
      `DELETE FROM download_grants WHERE push_id IN (SELECT id FROM pushes WHERE created_at <= $until)`,
      { until },
    );
    return execute('DELETE FROM sessions WHERE created_at <= $until', { until });
  }

  return { requireFinished, isEmpty, noteBackup, lastBackupAt, mark, finish };
}
