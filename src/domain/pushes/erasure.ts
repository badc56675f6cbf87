import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { PushSettings } from '../settings.ts';

/** How long the row of an anonymous push is kept after its end; nobody can ask for its log. */
const anonymousRetentionMs = dayMs;

/** A push that nobody has seen is told about a day before its end, or when a quarter of its time is left. */
export function reminderLeadMs(lifetimeMs: number): number {
  return Math.min(dayMs, Math.floor(lifetimeMs / 4));
}

/**
 * What every end of a push assigns, as SQL: nothing is left to open, no deadline but that of the row itself.
 * MySQL evaluates assignments from left to right with new values, so counters come after this.
 */
export function erasure(
  { now }: Pick<Database['dialect'], 'now'>,
  { retentionMs }: Pick<PushSettings, 'retentionMs'>,
  expiredOn: string = now,
): string {
  return `payload = NULL, files_key = NULL, passphrase_hash = NULL, due_at = NULL, expired_on = ${expiredOn}, updated_at = ${expiredOn},
    purge_at = ${expiredOn} + CASE WHEN account_id IS NULL THEN ${anonymousRetentionMs} ELSE ${retentionMs} END`;
}
