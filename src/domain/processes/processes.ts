import type { Database } from '../../database/database.ts';

/** The processes that serve this store, by their registrations. For commands that must not run beside them. */
export function createProcesses({ hasTable, select, dialect }: Database) {
  /** How many processes serve, on all machines. None if the database has no tables yet. */
  async function count(): Promise<number> {
    if (!(await hasTable('processes'))) return 0;
    const sql = `SELECT COUNT(*) AS count FROM processes WHERE expires_at > ${dialect.now}`;
    const [row] = await select<{ count: number }>(sql, {});
    return Number(row?.count);
  }

  return { count };
}
