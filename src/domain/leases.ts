import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';

/**
 * What one process at a time may do, of all that share the database: whoever has the lease, until it ends by the database's
 * clock. It does not stop a process that was frozen from going on for a moment when it wakes.
 */
export function createLeases({ change, retrying, dialect }: Database) {
  const ignoring = dialect.name === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';

  /** The lease of this name, for whoever holds what is returned. */
  function of(name: string, lifetimeMs: number) {
    const binds = { name, holder: randomUUID() };

    /** Takes it or renews it, unless somebody else has it; says whether it is ours. */
    async function take(): Promise<boolean> {
      const renewed = await retrying(() =>
        change(
          `UPDATE leases SET holder = $holder, expires_at = ${dialect.now} + ${lifetimeMs}
           WHERE name = $name AND (holder = $holder OR expires_at <= ${dialect.now})`,
          binds,
        ),
      );
      if (renewed === 1) return true;
      const taken = await retrying(() =>
        change(
          `${ignoring} INTO leases (name, holder, expires_at)
           VALUES ($name, $holder, ${dialect.now} + ${lifetimeMs})`,
          binds,
        ),
      );
      return taken === 1;
    }

    async function release(): Promise<void> {
      await retrying(() => change('DELETE FROM leases WHERE name = $name AND holder = $holder', binds));
    }

    return { take, release };
  }

  return { of };
}
