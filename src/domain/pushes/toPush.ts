import type { PushFile } from '../files/fileList.ts';
import { expiredOn, type Push, type PushRow } from './push.ts';

type Plain = { urlToken: string; name: string | null; note: string | null; files: PushFile[] };

/** A row as its creator and its viewers may see it, with what is sealed in it, as far as they may read that. */
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
