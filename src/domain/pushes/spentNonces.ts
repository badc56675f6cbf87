import type { Database, Tx } from '../../database/database.ts';
import { minuteMs } from '../../time.ts';

/** How long a used nonce is stored. Callers must not accept a nonce for longer. */
const retentionMs = 15 * minuteMs;

export type SpentNonces = ReturnType<typeof createSpentNonces>;

/** Nonces that were used to claim a view, as SHA-256, so that a repeated request does not claim another. */
export function createSpentNonces({ deleteInBatches, dialect }: Database) {
  const insert = `INSERT INTO spent_nonces (id, expires_at) VALUES ($digest, ${dialect.now} + ${retentionMs})`;

  return {
    async has(digest: Buffer, tx: Tx): Promise<boolean> {
      const found = await tx.select('SELECT id FROM spent_nonces WHERE id = $digest', { digest });
      return found.length > 0;
    },
    async add(digest: Buffer, tx: Tx): Promise<void> {
      await tx.execute(insert, { digest });
    },
    /** Deletes nonces that can no longer be used. */
    purge: (isStopping?: () => boolean) =>
      deleteInBatches('spent_nonces', 'expires_at', dialect.now, isStopping),
  };
}
