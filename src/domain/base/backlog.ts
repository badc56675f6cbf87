import type { Database } from '../../database/database.ts';

/** How many rows wait for a job, and how long the first of them has been due. */
export type Backlog = { waiting: number; overdueMs: number };

/** Measures the rows that match a condition. The column `dueAt` says since when each is due. */
export async function measureBacklog(
  { select, dialect }: Pick<Database, 'select' | 'dialect'>,
  { table, dueAt, condition }: { table: string; dueAt: string; condition: string },
): Promise<Backlog> {
  const [row] = await select<{ waiting: number; overdueMs: number | null }>(
    `SELECT COUNT(*) AS waiting, ${dialect.now} - MIN(${dueAt}) AS overdueMs FROM ${table} WHERE ${condition}`,
    {},
  );
  return { waiting: Number(row?.waiting), overdueMs: Math.max(0, Number(row?.overdueMs ?? 0)) };
}
