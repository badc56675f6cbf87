import { type Database, inList } from '../../database/database.ts';
import { measureBacklog } from '../base/index.ts';
import type { FileStore } from './store.ts';

type DueFile = { id: Buffer; object: string };

const batchSize = 50;

export type Shredding = ReturnType<typeof createShredding>;

/** Shreds files. The bytes are removed before the row, so every stored file has a row. */
export function createShredding({ database, store }: { database: Database; store: FileStore }) {
  const { select, execute, deleteInBatches, dialect } = database;
  /** The push was removed, with its account or by its sender. */
  const isOrphaned = 'push_id IS NULL AND label IS NOT NULL';
  const due = `shred_at <= ${dialect.now}`;

  /** Shreds those of these files that are due. */
  async function shred(ids: Buffer[]): Promise<void> {
    const { names, binds } = inList(ids);
    await remove(
      await select<DueFile>(`SELECT id, object FROM files WHERE id IN (${names}) AND ${due}`, binds),
    );
  }

  /** Shreds all files that are due: their push and every grant have ended, or the push was never created. Returns how many. */
  async function shredDue(isStopping = () => false): Promise<number> {
    await execute(
      `UPDATE files SET shred_at = ${dialect.now} WHERE ${isOrphaned} AND shred_at > ${dialect.now}`,
      {},
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

  /** A file that cannot be removed does not hold up others. The call fails in the end. */
  async function remove(files: DueFile[]): Promise<number> {
    const results = await Promise.allSettled(files.map(({ object }) => store.remove(object)));
    const removedIds = files.filter((_, index) => results[index]?.status === 'fulfilled').map(({ id }) => id);
    if (removedIds.length > 0) {
      const { names, binds } = inList(removedIds);
      await execute(`DELETE FROM files WHERE id IN (${names})`, binds);
    }
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return removedIds.length;
  }

  /** The files that are due for shredding. */
  const overdue = () => measureBacklog(database, { table: 'files', dueAt: 'shred_at', condition: due });

  return { shred, shredDue, overdue };
}
