import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/crypto/ids.ts';
import type { Dialect } from '../../../src/database/dialect.ts';
import { erasure } from '../../../src/domain/pushes/erasure.ts';
import { type PushRow, pushColumns } from '../../../src/domain/pushes/tables.ts';

const weekMs = 604_800_000;
const sealedBytes = 166;

export type BarePush = { payload: Buffer; views: number };

export type BareRow = Pick<PushRow, 'id' | 'viewsUsed' | 'viewsMax'> & { payload: Buffer };

/** The statements of hushpush, with positional parameters. */
export function bareStatements({ now, forUpdate }: Pick<Dialect, 'now' | 'forUpdate'>) {
  const isLive = `views_used < views_max AND expired_on IS NULL AND expires_at > ${now}`;
  const guard = `id = ? AND views_used = ? AND ${isLive}`;
  return {
    insertPush: `INSERT INTO pushes (id, token_digest, kind, payload, notify, deletable_by_viewer, retrieval_step,
      views_max, lifetime_ms, created_at, updated_at, expires_at, due_at, creator_ip, creator_user_agent, creator_referrer)
      VALUES (?, ?, 'text', ?, 0, TRUE, TRUE, ?, ${weekMs}, ${now}, ${now}, ${now} + ${weekMs}, ${now} + ${weekMs}, ?, '', '')`,
    selectPush: `SELECT ${pushColumns(now)}, payload FROM pushes WHERE token_digest = ? ${forUpdate}`,
    countView: `UPDATE pushes SET updated_at = ${now}, views_used = views_used + 1 WHERE ${guard}`,
    countLastView: `UPDATE pushes SET ${erasure({ now }, { retentionMs: weekMs })}, views_used = views_used + 1
      WHERE ${guard}`,
    insertAudit: `INSERT INTO audit_rows (push_id, id, kind, ip, user_agent, referrer, created_at)
      VALUES (?, ?, 'view', ?, '', '', ${now})`,
    /** The cheapest way to count a view at all: without the payload, and without a trace. */
    countOnly: `UPDATE pushes SET updated_at = ${now}, views_used = views_used + 1
      WHERE token_digest = ? AND ${isLive}`,
  };
}

export const newPayload = () => randomBytes(sealedBytes);
export const newPushValues = (digest: Buffer, { payload, views }: BarePush) => [
  newId(),
  digest,
  payload,
  views,
  '127.0.0.1',
];
export const newAuditValues = ({ id }: BareRow) => [id, newId(), '127.0.0.1'];
