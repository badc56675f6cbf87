import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { PushSettings } from '../base/index.ts';

/** How long the row of an anonymous push is retained after its end. Nobody can read its log. */
const anonymousRetentionMs = dayMs;

/** How long before its end an unread push gets a reminder: a day, or a quarter of its lifetime. */
export function reminderLeadMs(lifetimeMs: number): number {
  return Math.min(dayMs, Math.floor(lifetimeMs / 4));
}

/**
 * SQL assignments for every way a push can end: they erase what could be opened, and clear all deadlines but that of
 * the row's deletion. MySQL evaluates assignments from left to right with new values, so counters must come after
 * these.
 */
export function erasure(
  { now }: Pick<Database['dialect'], 'now'>,
  { retentionMs }: Pick<PushSettings, 'retentionMs'>,
  expiredOn: string = now,
): string {
  return `payload = NULL, files_key = NULL, sender = NULL, passphrase_hash = NULL, due_at = NULL, expired_on = ${expiredOn}, updated_at = ${expiredOn},
    purge_at = ${expiredOn} + CASE WHEN account_id IS NULL THEN ${anonymousRetentionMs} ELSE ${retentionMs} END`;
}
