import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { unavailable } from '../../errors.ts';

/**
 * Guards a write against the removal of the master key that encrypted it: a process may be frozen between the two for as
 * long as it likes. Call the result before encrypting, and what that returns after the COMMIT: it throws `unavailable` if
 * the key was removed before. A removal marks its key before it looks for records, so either it has found this one, or the
 * mark is found here. While the key is still active nothing is asked: it is removed a minute after it was replaced at the
 * earliest, and a process that has not looked for a minute is stale.
 */
export function createKeyWatch({ database, keyring }: { database: Database; keyring: Keyring }) {
  return function watchKey() {
    const { id } = keyring.active;
    return async (): Promise<void> => {
      if (keyring.active.id === id && !keyring.isStale?.()) return;
      const marked = 'SELECT 1 FROM key_checks WHERE key_id = $id AND removed_at IS NOT NULL';
      if ((await database.select(marked, { id })).length === 0) return;
      throw unavailable(
        'commitUnconfirmed',
        new Error(`master key ${id} was removed before a record was written`),
      );
    };
  };
}
