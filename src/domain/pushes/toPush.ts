import type { PushFile } from '../files/fileList.ts';
import { expiredOn, type Push, type PushRow } from './push.ts';

type Plain = { urlToken: string; name: string | null; note: string | null; files: PushFile[] };

/** Converts a row to a push for its creator and viewers, and decrypts the fields that they may read. */
export function toPush(row: PushRow, { urlToken, name, note, files }: Plain): Push {
  return {
    id: row.id.toString('hex'),
    urlToken,
    kind: row.kind,
    hasPassphrase: row.passphraseHash !== null,
    name,
    note,
    files,
    deletableByViewer: row.deletableByViewer,
    retrievalStep: row.retrievalStep,
    viewsMax: row.viewsMax,
    viewsUsed: row.viewsUsed,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    expiresAt: row.expiresAt,
    expiredOn: expiredOn(row),
    deleted: row.deleted,
    now: row.now,
  };
}
