import type { Audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { ClientInfo } from '../client.ts';
import type { FileList } from '../files/fileList.ts';
import type { PushFinder } from './find.ts';
import { isExpired, isOwner, type Push } from './push.ts';

type Dependencies = { finder: PushFinder; fileList: FileList; audit: Audit };

/** Reads pushes without using a view. */
export function createPreview({ finder, fileList, audit }: Dependencies) {
  /** Leaves no trace. */
  async function preview(urlToken: string, { account, client }: Caller): Promise<Push> {
    return finder.present(await finder.requireRow(urlToken, client), urlToken, account);
  }

  /** Includes the files. Throws `not_found` for everybody but the owner. */
  async function previewOwned(urlToken: string, { account, client }: Caller): Promise<Push> {
    const row = await finder.requireRow(urlToken, client);
    if (!isOwner(account, row)) return finder.refuseUnknown(client);
    const { id, fileCount } = row;
    const files = fileCount > 0 && !isExpired(row) ? await fileList.ofPushes([{ id, urlToken }]) : new Map();
    return finder.present(row, urlToken, account, files.get(id.toString('hex')));
  }

  /** Records that somebody, or a machine, got as far as the retrieval step. */
  async function recordPreview({ id }: Push, client: ClientInfo): Promise<void> {
    await audit.recordBounded(Buffer.from(id, 'hex'), 'preview', client);
  }

  return { preview, previewOwned, recordPreview };
}
