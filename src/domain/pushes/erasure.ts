import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { PushSettings } from '../settings.ts';

/** How long the row of an anonymous push stays after its end. Nobody can read its log. */
const anonymousRetentionMs = dayMs;

/** How long before its end an unread push is reminded of: a day, or a quarter of its lifetime. */
export function reminderLeadMs(lifetimeMs: number): number {
  return Math.min(dayMs, Math.floor(lifetimeMs / 4));
}

/**
 * The assignments, as SQL, that every end of a push makes: nothing is left to open, and no deadline but that of the row.
 * MySQL evaluates assignments from left to right with new values, so counters come after these.
 */
export function erasure(
  { now }: Pick<Database['dialect'], 'now'>,
  { retentionMs }: Pick<PushSettings, 'retentionMs'>,
  expiredOn: string = now,
): string {
  return `payload = NULL, files_key = NULL, passphrase_hash = NULL, due_at = NULL, expired_on = ${expiredOn}, updated_at = ${expiredOn},
    purge_at = ${expiredOn} + CASE WHEN account_id IS NULL THEN ${anonymousRetentionMs} ELSE ${retentionMs} END`;
}
