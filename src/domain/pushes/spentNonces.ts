import type { Database, Tx } from '../../database/database.ts';
import { minuteMs } from '../../time.ts';

/** How long a nonce that opened a push is remembered; nobody may honour one for longer. */
const retentionMs = 15 * minuteMs;

export type SpentNonces = ReturnType<typeof createSpentNonces>;

/** Nonces under which a view was claimed, as SHA-256, so that a repeated request claims no second one. */
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
    /** Forgets nonces that nobody can use any more. */
    purge: (isStopping?: () => boolean) =>
      deleteInBatches('spent_nonces', 'expires_at', dialect.now, isStopping),
  };
}
