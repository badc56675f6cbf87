import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { minuteMs } from '../time.ts';
import type { Leases } from './leases.ts';

const prefix = 'process:';
/** How long a process counts after it was killed. */
const lifetimeMs = minuteMs;

/** Which processes serve this store: each holds a lease. For commands that must not run beside them. */
export function createPresence({ sequelize, select, dialect }: Database, leases: Leases) {
  const lease = leases.of(prefix + randomUUID(), lifetimeMs);

  /** How many processes serve, on all machines. None if the database has no tables yet. */
  async function count(): Promise<number> {
    if (!(await sequelize.getQueryInterface().tableExists('leases'))) return 0;
    const [row] = await select<{ count: number }>(
      `SELECT COUNT(*) AS count FROM leases WHERE name LIKE '${prefix}%' AND expires_at > ${dialect.now}`,
      {},
    );
    return Number(row?.count);
  }

  return {
    /** Counts this process for a minute. Call it more often than that. */
    announce: lease.acquire,
    /** Stops counting this process. */
    leave: lease.release,
    count,
  };
}
