import { randomUUID } from 'node:crypto';
import { type Database, statementMsMax } from '../../database/database.ts';

/**
 * Leases by the database's clock. One process at a time holds each of them. A frozen process may continue for a
 * moment after its lease has ended.
 */
export function createLeases({ execute, dialect }: Database) {
  /** A lease by its name. Each call creates another holder. */
  function of(name: string, lifetimeMs: number) {
    const binds = { name, holder: randomUUID(), lifetimeMs };

    /**
     * Acquires or renews the lease. Returns false while another holds it. One from the future was taken before the
     * database's clock was set back: that of an embedded database is this machine's.
     */
    async function acquire(): Promise<boolean> {
      const renewed = await execute(
        `UPDATE leases SET holder = $holder, expires_at = ${dialect.now} + $lifetimeMs
           WHERE name = $name AND (holder = $holder
             OR expires_at <= ${dialect.now} OR expires_at > ${dialect.now} + $lifetimeMs + ${statementMsMax})`,
        binds,
      );
      if (renewed === 1) return true;
      const inserted = await execute(
        dialect.insertIgnore(
          'name',
          `INTO leases (name, holder, expires_at) VALUES ($name, $holder, ${dialect.now} + $lifetimeMs)`,
        ),
        binds,
      );
      return inserted === 1;
    }

    async function release(): Promise<void> {
      await execute('DELETE FROM leases WHERE name = $name AND holder = $holder', binds);
    }

    return { acquire, release };
  }

  /** Deletes leases that have ended. There are few, so it is one statement. */
  async function purge(): Promise<void> {
    await execute(`DELETE FROM leases WHERE expires_at <= ${dialect.now}`, {});
  }

  return { of, purge };
}
