import type { PushFile } from '../files/fileList.ts';
import { expiredOn, type Push, type PushRow } from './push.ts';

type Plain = { urlToken: string; name: string | null; note: string | null; files: PushFile[] };

/** A row as its creator and its viewers may see it, with what is sealed in it, as far as they may read that. */
export function toPush(row: PushRow, { urlToken, name, note, files }: Plain): Push {
  const {
    id,
    accountId: _,
    passphraseHash,
    tokenSealed: _sealed,
    fileCount: _count,
    notify: _bits,
    ...push
  } = row;
  return {
    ...push,
    id: id.toString('hex'),
    urlToken,
    hasPassphrase: passphraseHash !== null,
    name,
    note,
    files,
    expiredOn: expiredOn(row),
  };
}
