import type { Audit } from '../audit/index.ts';
import type { FileList } from '../files/index.ts';
import type { Caller, ClientInfo } from '../people/index.ts';
import type { PushFinder } from './find.ts';
import { isExpired, isOwner, type Push } from './push.ts';
import type { PushRecipients } from './recipients.ts';

type Dependencies = {
  finder: PushFinder;
  fileList: FileList;
  pushRecipients: Pick<PushRecipients, 'ofPush'>;
  audit: Audit;
};

/** Reads pushes without using a view. */
export function createPreview({ finder, fileList, pushRecipients, audit }: Dependencies) {
  /** Leaves no trace. */
  async function preview(urlToken: string, { account, client }: Caller): Promise<Push> {
    return finder.present(await finder.requireRow(urlToken, client), urlToken, account);
  }

  /** Includes the files and the recipients. Throws `not_found` for everybody but the owner. */
  async function previewOwned(urlToken: string, { account, client }: Caller): Promise<Push> {
    const row = await finder.requireRow(urlToken, client);
    if (!isOwner(account, row)) return finder.refuseUnknown(client);
    const { id, fileCount } = row;
    const [files, recipients] = await Promise.all([
      fileCount > 0 && !isExpired(row) ? fileList.ofPushes([{ id, urlToken }]) : undefined,
      pushRecipients.ofPush(id),
    ]);
    return finder.present(row, urlToken, account, {
      files: files?.get(id.toString('hex')),
      recipients,
    });
  }

  /** Records that a person or a bot loaded the retrieval step. */
  async function recordPreview({ id }: Push, client: ClientInfo): Promise<void> {
    await audit.recordBounded(Buffer.from(id, 'hex'), 'preview', client);
  }

  return { preview, previewOwned, recordPreview };
}
