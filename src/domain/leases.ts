import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';

/**
 * What one process at a time may do, of all that share the database: whoever has the lease, until it ends by the database's
 * clock. It does not stop a process that was frozen from going on for a moment when it wakes.
 */
export function createLeases({ execute, withRetries, dialect }: Database) {
  const insertIgnore = dialect.name === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';

  /** The lease of this name, for whoever holds what is returned. */
  function of(name: string, lifetimeMs: number) {
    const binds = { name, holder: randomUUID() };

    /** Takes it or renews it, unless somebody else has it; says whether it is ours. */
    async function acquire(): Promise<boolean> {
      const renewed = await withRetries(() =>
        execute(
          `UPDATE leases SET holder = $holder, expires_at = ${dialect.now} + ${lifetimeMs}
           WHERE name = $name AND (holder = $holder OR expires_at <= ${dialect.now})`,
          binds,
        ),
      );
      if (renewed === 1) return true;
      const taken = await withRetries(() =>
        execute(
          `${insertIgnore} INTO leases (name, holder, expires_at)
           VALUES ($name, $holder, ${dialect.now} + ${lifetimeMs})`,
          binds,
        ),
      );
      return taken === 1;
    }

    async function release(): Promise<void> {
      await withRetries(() => execute('DELETE FROM leases WHERE name = $name AND holder = $holder', binds));
    }

    return { acquire, release };
  }

  return { of };
}
