import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';

/**
 * Leases, each held by one process of all that share the database until it ends by the database's clock. They do not stop
 * a frozen process from going on for a moment when it wakes.
 */
export function createLeases({ execute, withRetries, dialect }: Database) {
  const insertIgnore = dialect.name === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';

  /** A lease by its name. Each call makes another holder. */
  function of(name: string, lifetimeMs: number) {
    const binds = { name, holder: randomUUID() };

    /** Acquires or renews the lease. Gives false while another holds it. */
    async function acquire(): Promise<boolean> {
      const renewed = await withRetries(() =>
        execute(
          `UPDATE leases SET holder = $holder, expires_at = ${dialect.now} + ${lifetimeMs}
           WHERE name = $name AND (holder = $holder OR expires_at <= ${dialect.now})`,
          binds,
        ),
      );
      if (renewed === 1) return true;
      const inserted = await withRetries(() =>
        execute(
          `${insertIgnore} INTO leases (name, holder, expires_at)
           VALUES ($name, $holder, ${dialect.now} + ${lifetimeMs})`,
          binds,
        ),
      );
      return inserted === 1;
    }

    async function release(): Promise<void> {
      await withRetries(() => execute('DELETE FROM leases WHERE name = $name AND holder = $holder', binds));
    }

    return { acquire, release };
  }

  return { of };
}
