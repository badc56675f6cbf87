import { type Database, inList } from '../../database/database.ts';
import { pageSize } from '../base/index.ts';
import type { AuditRow } from './auditRow.ts';

/** Reads the logs of pushes, oldest first. */
export function createAuditReader({ select }: Database) {
  const columns = `kind, ip, user_agent AS userAgent, referrer, opened_by AS openedBy, created_at AS createdAt, times,
    COALESCE(updated_at, created_at) AS updatedAt, recipient_id AS recipientId`;

  /** The logs of the pushes whose id meets a condition. A push's own row serves as its `creation` row. */
  const logOf = (condition: string) => `(
    SELECT 0 AS later, id AS push_id, id, 'creation' AS kind, creator_ip AS ip, creator_user_agent AS user_agent,
           creator_referrer AS referrer, NULL AS opened_by, created_at, 1 AS times, NULL AS updated_at,
           NULL AS recipient_id
    FROM pushes WHERE id ${condition}
    UNION ALL
    SELECT 1 AS later, push_id, id, kind, ip, user_agent, referrer, opened_by, created_at, times, updated_at,
           recipient_id
    FROM audit_rows WHERE push_id ${condition}
  ) AS log`;
  const log = logOf('= $pushId');

  /** One page of rows. The first page is 1. */
  async function page(pushId: Buffer, page: number): Promise<AuditRow[]> {
    return select<AuditRow>(
      `SELECT ${columns} FROM ${log}
       ORDER BY later, created_at, id LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
      { pushId },
    );
  }

  /** The newest rows, oldest first, and how many rows come before them. */
  async function newest(pushId: Buffer, count: number): Promise<{ rows: AuditRow[]; earlier: number }> {
    const found = await select<AuditRow & { total: number }>(
      `SELECT ${columns}, COUNT(*) OVER () AS total FROM ${log}
       ORDER BY later DESC, created_at DESC, id DESC LIMIT ${count}`,
      { pushId },
    );
    return {
      rows: found.map(({ total: _, ...row }) => row).reverse(),
      earlier: Number(found[0]?.total ?? 0) - found.length,
    };
  }

  /** The whole logs of a few pushes, less than 2,000 rows each, in the order of their ids. */
  async function ofPushes(pushIds: Buffer[]): Promise<(AuditRow & { pushId: Buffer })[]> {
    if (pushIds.length === 0) return [];
    const { names, binds } = inList(pushIds);
    return select<AuditRow & { pushId: Buffer }>(
      `SELECT push_id AS pushId, ${columns} FROM ${logOf(`IN (${names})`)} ORDER BY push_id, later, created_at, id`,
      binds,
    );
  }

  return { page, newest, ofPushes };
}
