import type { PushFile } from '../files/fileList.ts';
import { expiredOn, extensionOf, type ListedPush, type PushRow } from './push.ts';
import type { PushRecipient } from './pushRecipient.ts';

/** The decrypted fields. Those that cannot be decrypted are empty, and `isUnreadable` is set. */
type Plain<UrlToken> = {
  urlToken: UrlToken;
  name: string | null;
  note: string | null;
  files: PushFile[];
  recipients: PushRecipient[];
  isUnreadable: boolean;
  /** The longest life that the service allows, from now. */
  longestMs: number;
};

/** The columns that a push shows. */
export type PresentedRow = Omit<PushRow, 'accountId' | 'label' | 'fileCount' | 'notify'>;

/** Converts a row to a push for its creator and viewers. */
export function toPush<UrlToken extends string | null>(
  row: PresentedRow,
  { urlToken, name, note, files, recipients, isUnreadable, longestMs }: Plain<UrlToken>,
): ListedPush & { urlToken: UrlToken } {
  return {
    id: row.id.toString('hex'),
    urlToken,
    kind: row.kind,
    encrypted: row.encrypted,
    hasPassphrase: row.passphraseHash !== null,
    name,
    note,
    files,
    recipients,
    deletableByViewer: row.deletableByViewer,
    retrievalStep: row.retrievalStep,
    viewsMax: row.viewsMax,
    viewsUsed: row.viewsUsed,
    isReserved: row.viewsReserved > 0 && row.viewsUsed + row.viewsReserved >= row.viewsMax,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    expiresAt: row.expiresAt,
    extensionMs: extensionOf(row, longestMs),
    expiredOn: expiredOn(row),
    deleted: row.deleted,
    isUnreadable,
    now: row.now,
  };
}
