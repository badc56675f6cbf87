import { expiredOn, extensionOf, type ListedPush, latestEndOf, type UrlTokenField } from './push.ts';
import { type PushRow, shownFields } from './tables.ts';

/** The decrypted fields. Those that cannot be decrypted are empty, and `isUnreadable` is set. */
type Plain<UrlToken> = Pick<ListedPush, 'name' | 'note' | 'files' | 'recipients' | 'isUnreadable'> & {
  urlToken: UrlToken;
  urlTokenSha256: UrlToken;
  /** The longest life that the service allows, from now. */
  longestMs: number;
};

/** The columns that a push shows. */
export type PresentedRow = Omit<PushRow, 'accountId' | 'label' | 'fileCount' | 'notify'>;

/** Converts a row to a push for its creator and viewers. */
export function toPush<UrlToken extends string | null>(
  row: PresentedRow,
  { urlToken, urlTokenSha256, name, note, files, recipients, isUnreadable, longestMs }: Plain<UrlToken>,
): ListedPush & Record<UrlTokenField, UrlToken> {
  const push = {
    id: row.id.toString('hex'),
    urlToken,
    urlTokenSha256,
    hasPassphrase: row.passphraseHash !== null,
    name,
    note,
    files,
    recipients,
    isReserved: row.viewsReserved > 0 && row.viewsUsed + row.viewsReserved >= row.viewsMax,
    extensionMs: extensionOf(row, longestMs),
    latestEnd: latestEndOf(row, longestMs),
    expiredOn: expiredOn(row),
    isUnreadable,
    now: row.now,
  };
  const shown: Record<string, unknown> = push; // one by one: a copy of so many fields takes V8 15 µs
  for (const name of shownFields) shown[name] = row[name];
  return push as ListedPush & typeof push;
}
