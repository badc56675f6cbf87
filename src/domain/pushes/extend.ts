import { z } from 'zod';
import type { Audit, Visit } from '../audit/audit.ts';
import type { Database } from '../database.ts';
import { DomainError } from '../errors.ts';
import { parseInput } from '../input.ts';
import { decodeChoice } from '../notifications/choice.ts';
import type { PushSettings } from '../settings.ts';
import { reminderLeadMs } from './erasure.ts';
import type { PushRow } from './push.ts';

const minuteMs = 60_000;

type Parts = { database: Database; audit: Audit; settings: PushSettings };

/** Gives a push more time. */
export function createExtend({ database: { unitOfWork, change, dialect }, audit, settings }: Parts) {
  const { max } = settings.bounds.expireAfterDays;
  const range = `must be between 1 and ${max * 24 * 60}`;
  const schema = z.object({
    minutes: z.coerce
      .number(range)
      .int(range)
      .min(1, range)
      .max(max * 24 * 60, range),
  });

  /** Lets a live push end so many minutes from now instead. Refuses with `conflict` when that is sooner, or it has ended. */
  return async function extend(
    { id, notify, viewsUsed }: PushRow,
    input: unknown,
    visit: Visit,
  ): Promise<void> {
    const ms = parseInput(schema, input).minutes * minuteMs;
    const leadMs = decodeChoice(notify).reminder && viewsUsed === 0 ? reminderLeadMs(ms) : 0;
    await unitOfWork(async (transaction) => {
      const extended = await change(
        `UPDATE pushes SET expires_at = ${dialect.now} + $ms, due_at = ${dialect.now} + $dueInMs, updated_at = ${dialect.now}
         WHERE id = $id AND expired_on IS NULL AND expires_at > ${dialect.now} AND expires_at < ${dialect.now} + $ms`,
        { id, ms, dueInMs: ms - leadMs },
        { transaction },
      );
      if (extended === 0) throw new DomainError('conflict', 'That push ends later, or has ended.');
      await audit.record(id, 'edit', visit, transaction);
    });
  };
}
