import { type Database, inList } from '../../database/database.ts';
import type { FileStore } from './store.ts';

type DueFile = { id: Buffer; object: string };

const batchSize = 50;

export type Shredding = ReturnType<typeof createShredding>;

/** The end of files: first the bytes go, then the row, so that a row tells of whatever is still there. */
export function createShredding(
  { select, execute, withRetries, deleteInBatches, dialect }: Database,
  store: FileStore,
) {
  /** Its push was removed, with the account or by its sender. */
  const isOrphaned = 'push_id IS NULL AND label IS NOT NULL';
  const due = `shred_at <= ${dialect.now}`;

  /** Shreds those of these files whose time is over. */
  async function shred(ids: Buffer[]): Promise<void> {
    const { names, binds } = inList(ids);
    await remove(
      await select<DueFile>(`SELECT id, object FROM files WHERE id IN (${names}) AND ${due}`, binds),
    );
  }

  /** Shreds all files whose time is over: their push has ended, and every grant; or it was never made. Gives their number. */
  async function shredDue(isStopping = () => false): Promise<number> {
    await withRetries(() =>
      execute(`UPDATE files SET shred_at = 0 WHERE ${isOrphaned} AND shred_at > 0`, {}),
    );
    for (let total = 0; ; ) {
      const found = await select<DueFile>(
        `SELECT id, object FROM files WHERE ${due} ORDER BY shred_at LIMIT ${batchSize}`,
        {},
      );
      total += await remove(found);
      if (found.length < batchSize || isStopping()) {
        await deleteInBatches('download_grants', 'expires_at', dialect.now, isStopping);
        return total;
      }
    }
  }

  /** One that cannot be removed holds up no other, and fails the call in the end. */
  async function remove(files: DueFile[]): Promise<number> {
    const results = await Promise.allSettled(files.map(({ object }) => store.remove(object)));
    const removedIds = files.filter((_, index) => results[index]?.status === 'fulfilled').map(({ id }) => id);
    if (removedIds.length > 0) {
      const { names, binds } = inList(removedIds);
      await withRetries(() => execute(`DELETE FROM files WHERE id IN (${names})`, binds));
    }
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return removedIds.length;
  }

  /** How many files wait to be shredded, and for how long the first of them has been. */
  async function overdue(): Promise<{ waiting: number; overdueMs: number }> {
    const [row] = await select<{ waiting: number; overdueMs: number | null }>(
      `SELECT COUNT(*) AS waiting, ${dialect.now} - MIN(shred_at) AS overdueMs FROM files WHERE ${due}`,
      {},
    );
    return { waiting: Number(row?.waiting), overdueMs: Math.max(0, Number(row?.overdueMs ?? 0)) };
  }

  return { shred, shredDue, overdue };
}
