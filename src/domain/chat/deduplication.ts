import { idOfName } from '../../crypto/ids.ts';
import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';

const retentionMs = 2 * dayMs;

export type Deduplication = ReturnType<typeof createDeduplication>;

/** Recognizes events that a platform delivers again. */
export function createDeduplication({ execute, deleteInBatches, dialect }: Database) {
  /** Whether this is the first event of this name within two days, on any process. */
  async function isNew(name: string): Promise<boolean> {
    const inserted = await execute(
      dialect.insertIgnore(
        'id',
        `INTO processed_events (id, expires_at) VALUES ($id, ${dialect.now} + ${retentionMs})`,
      ),
      { id: idOfName(name) },
    );
    return inserted === 1;
  }

  /** Makes the next event of this name new again. */
  const forget = (name: string) =>
    execute('DELETE FROM processed_events WHERE id = $id', { id: idOfName(name) });

  /** Deletes events that are too old to be delivered again. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('processed_events', 'expires_at', dialect.now, isStopping);

  return { isNew, forget, purge };
}
