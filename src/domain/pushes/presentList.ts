import { urlTokenSha256 } from '../../crypto/tokens.ts';
import type { FileList } from '../files/index.ts';
import type { PushFinder } from './find.ts';
import { isExpired, type ListedPush, type PushRow } from './push.ts';
import type { PushRecipients } from './recipients.ts';
import { toPushRow } from './tables.ts';

type Dependencies = {
  fileList: FileList;
  finder: PushFinder;
  pushRecipients: Pick<PushRecipients, 'ofPushes'>;
};

/** Opens selected pushes for the list of their owner, with their files and recipients. */
export function createListPresenter({ fileList, finder, pushRecipients }: Dependencies) {
  /** Those that cannot be decrypted are listed, and marked. */
  return async function presentList(found: PushRow[]): Promise<ListedPush[]> {
    const openLabel = finder.createLabelReader();
    const rows = found.map(toPushRow).map((row) => ({ row, label: openLabel(row) }));
    const withFiles = rows.flatMap(({ row, label }) =>
      label !== undefined && row.fileCount > 0 && !isExpired(row)
        ? [{ id: row.id, urlToken: label.urlToken }]
        : [],
    );
    const [files, recipients] = await Promise.all([
      fileList.ofPushes(withFiles),
      pushRecipients.ofPushes(rows.map(({ row }) => row.id.toString('hex'))),
    ]);
    return rows.map(({ row, label }) => {
      if (label === undefined) return finder.presentUnreadable(row);
      const id = row.id.toString('hex');
      const linked = { ...label, urlTokenSha256: urlTokenSha256(label.urlToken) };
      return finder.presentLabeled(row, linked, { files: files.get(id), recipients: recipients.get(id) });
    });
  };
}
