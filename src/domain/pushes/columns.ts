import type { PushRow } from './push.ts';

/** The columns of a push except its payload, under the names of a PushRow. `now` is the database's clock, as SQL. */
export function pushColumns(now: string): string {
  return `id, account_id AS accountId, kind, passphrase_hash AS passphraseHash, name, note, notify,
    token_sealed AS tokenSealed, file_count AS fileCount, deletable_by_viewer AS deletableByViewer, retrieval_step AS retrievalStep,
    views_max AS viewsMax, views_used AS viewsUsed, created_at AS createdAt, updated_at AS updatedAt,
    expires_at AS expiresAt, expired_on AS expiredOn, deleted, ${now} AS now`;
}

/** Converts booleans, which the databases give as 0 and 1. */
export function withBooleans<Row extends PushRow>(row: Row): Row {
  return {
    ...row,
    deletableByViewer: Boolean(row.deletableByViewer),
    retrievalStep: Boolean(row.retrievalStep),
    deleted: Boolean(row.deleted),
  };
}
