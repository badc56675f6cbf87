import { z } from 'zod';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Audit, Visit } from '../audit/audit.ts';
import { decodeChoice } from '../notices/preferences.ts';
import type { PushSettings } from '../settings.ts';
import { parseInput } from '../validation.ts';
import { reminderLeadMs } from './erasure.ts';
import type { PushRow } from './push.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

type Parts = { database: Database; audit: Audit; settings: PushSettings };

/** Gives a push more time. Who wants to be reminded of an unread one is reminded before its new end. */
export function createExtend({ database: { unitOfWork, change, dialect }, audit, settings }: Parts) {
  const { max } = settings.bounds.expireAfterDays;
  const longestMs = max * dayMs;
  const range = `must be between 1 and ${max * 24 * 60}`;
  const schema = z.object({
    minutes: z.coerce
      .number(range)
      .int(range)
      .min(1, range)
      .max(max * 24 * 60, range),
  });

  const keepFiles = `UPDATE files SET shred_at = (SELECT expires_at FROM pushes WHERE id = $id)
    WHERE push_id = $id AND label IS NOT NULL`;

  /** Lets a live push end so many minutes from now instead. Refuses with `conflict` when that is sooner, or it has ended. */
  async function endLater(row: PushRow, input: unknown, visit: Visit): Promise<void> {
    const ms = parseInput(schema, input).minutes * minuteMs;
    const isLater = await setEnd(row, { end: `${dialect.now} + $ms`, ms, leftMs: ms }, visit);
    if (!isLater) throw new DomainError('conflict', 'That push ends later, or has ended.');
  }

  /** Gives a live push a day more, or as much again as it had, up to the longest that the service allows from now on. */
  async function extend(row: PushRow, visit: Visit): Promise<void> {
    const ms = Math.max(dayMs, row.expiresAt - row.createdAt);
    const end = `${dialect.least}(expires_at + $ms, ${dialect.now} + ${longestMs})`;
    await setEnd(row, { end, ms, leftMs: Math.min(row.expiresAt + ms - row.now, longestMs) }, visit);
  }

  async function setEnd(
    { id, notify, viewsUsed, fileCount }: PushRow,
    { end, ms, leftMs }: { end: string; ms: number; leftMs: number },
    visit: Visit,
  ): Promise<boolean> {
    const leadMs = decodeChoice(notify).reminder && viewsUsed === 0 ? reminderLeadMs(leftMs) : 0;
    return unitOfWork(async (transaction) => {
      // MySQL sets from left to right: due_at reads the old end
      const changed = await change(
        `UPDATE pushes SET due_at = ${end} - $leadMs, expires_at = ${end}, updated_at = ${dialect.now}
         WHERE id = $id AND expired_on IS NULL AND expires_at > ${dialect.now} AND expires_at < ${end}`,
        { id, ms, leadMs },
        { transaction },
      );
      if (changed !== 1) return false;
      if (fileCount > 0) await change(keepFiles, { id }, { transaction });
      await audit.record(id, 'edit', visit, transaction);
      return true;
    });
  }

  return { endLater, extend };
}
