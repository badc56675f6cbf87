import type { ServiceDatabase } from '../../../test/harness/process.ts';
import type { FinalNotice, FinalPush } from './checker.ts';
import type { RecordedPush } from './record.ts';

type PushColumns = Omit<FinalPush, 'viewAgents' | 'viewTimes' | 'viewNumbers' | 'notices'> & {
  digest: Buffer;
};

/** Reads what the database holds of each push, by its number. */
export async function readFinalState(
  { database, digest }: ServiceDatabase,
  pushes: readonly RecordedPush[],
): Promise<Map<number, FinalPush>> {
  const numbers = new Map(pushes.map(({ token, number }) => [digest(token).toString('hex'), number]));
  const byNumber = new Map<number, FinalPush>();
  const find = (key: Buffer) => byNumber.get(numbers.get(key.toString('hex')) ?? -1);

  const rows = await database.select<PushColumns>(
    `SELECT token_digest AS digest, views_max AS viewsMax, views_used AS viewsUsed, payload IS NOT NULL AS hasPayload,
       expires_at AS expiresAt, expired_on AS expiredOn, deleted FROM pushes`,
    {},
  );
  for (const { digest: key, ...row } of rows) {
    const number = numbers.get(key.toString('hex'));
    if (number === undefined) continue;
    byNumber.set(number, {
      ...row,
      hasPayload: Boolean(row.hasPayload),
      deleted: Boolean(row.deleted),
      viewAgents: [],
      viewTimes: [],
      viewNumbers: [],
      notices: [],
    });
  }

  const views = await database.select<{ digest: Buffer; agent: string; at: number; number: number }>(
    `SELECT token_digest AS digest, user_agent AS agent, audit_rows.created_at AS at, view_number AS number
     FROM audit_rows JOIN pushes ON pushes.id = push_id
     WHERE audit_rows.kind = 'view'`,
    {},
  );
  for (const { digest: key, agent, at, number } of views) {
    const push = find(key);
    push?.viewAgents.push(agent);
    push?.viewTimes.push(Number(at));
    push?.viewNumbers.push(Number(number));
  }

  const notices = await database.select<Omit<FinalNotice, 'id'> & { digest: Buffer; id: Buffer }>(
    `SELECT token_digest AS digest, notices.id, event, notices.views_used AS viewsUsed, times, sent_at IS NOT NULL AS isSent
     FROM notices JOIN pushes ON pushes.id = push_id`,
    {},
  );
  for (const { digest: key, id, ...notice } of notices)
    find(key)?.notices.push({
      ...notice,
      id: `notice_${id.toString('hex')}`,
      isSent: Boolean(notice.isSent),
    });
  return byNumber;
}
