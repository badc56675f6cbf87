import type { Database } from '../../database/database.ts';
import type { AuditRow } from './auditRow.ts';

const auditPageSize = 50;

/** Reads the log of a push, oldest first. */
export function createAuditReader({ select }: Database) {
  const columns = `kind, ip, user_agent AS userAgent, referrer, opened_by AS openedBy, created_at AS createdAt, times,
    COALESCE(updated_at, created_at) AS updatedAt, recipient_id AS recipientId`;
  /** The push's own row serves as its `creation` row. */
  const log = `(
    SELECT 0 AS later, id, 'creation' AS kind, creator_ip AS ip, creator_user_agent AS user_agent,
           creator_referrer AS referrer, NULL AS opened_by, created_at, 1 AS times, NULL AS updated_at,
           NULL AS recipient_id
    FROM pushes WHERE id = $pushId
    UNION ALL
    SELECT 1 AS later, id, kind, ip, user_agent, referrer, opened_by, created_at, times, updated_at, recipient_id
    FROM audit_rows WHERE push_id = $pushId
  ) AS log`;

  /** One page of 50 rows. The first page is 1. */
  async function page(pushId: Buffer, page: number): Promise<AuditRow[]> {
    return select<AuditRow>(
      `SELECT ${columns} FROM ${log}
       ORDER BY later, created_at, id LIMIT ${auditPageSize} OFFSET ${(page - 1) * auditPageSize}`,
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

  return { page, newest };
}
