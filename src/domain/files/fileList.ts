import { openLabel } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { inList, type Tx } from '../../database/database.ts';
import type { DatabaseWithKeys } from '../base/index.ts';

/** A file of a push. `download` is `GRANT/NUMBER` for its viewer, and null for everybody else. */
export type PushFile = { filename: string; contentType: string; size: number; download: string | null };

/** The files of a push in a list, unless one of their names cannot be decrypted. */
export type ListedFiles = PushFile[] | 'unreadable';

type FileRow = { id: Buffer; pushId: Buffer; label: Buffer; size: number };
type OpenedPush = { id: Buffer; urlToken: string };

export type FileList = ReturnType<typeof createFileList>;

/** Lists the files of pushes, in upload order. */
export function createFileList({ database, keyring }: DatabaseWithKeys) {
  /** Lists the files of many pushes in one statement, by the push's id in hexadecimal. */
  async function ofPushes(pushes: OpenedPush[]): Promise<Map<string, ListedFiles>> {
    const found = await rowsOf(pushes, database);
    const filesOf = ({ id, urlToken }: OpenedPush): ListedFiles => {
      try {
        return found.filter(({ pushId }) => pushId.equals(id)).map((row) => toFile(row, urlToken));
      } catch {
        return 'unreadable';
      }
    };
    return new Map(pushes.map((push) => [push.id.toString('hex'), filesOf(push)]));
  }

  /** Throws `unavailable` if a name cannot be decrypted. */
  async function ofPush(push: OpenedPush, tx: Tx): Promise<PushFile[]> {
    return (await rowsOf([push], tx)).map((row) => toFile(row, push.urlToken));
  }

  async function rowsOf(pushes: OpenedPush[], { select }: Pick<Tx, 'select'>): Promise<FileRow[]> {
    if (pushes.length === 0) return [];
    const { names, binds } = inList(pushes.map(({ id }) => id));
    return select<FileRow>(
      `SELECT id, push_id AS pushId, label, size FROM files
       WHERE push_id IN (${names}) AND label IS NOT NULL ORDER BY id`,
      binds,
    );
  }

  const toFile = ({ id, label, size }: FileRow, urlToken: string): PushFile => ({
    ...openFileLabel(keyring, id, label, urlToken),
    size: Number(size),
    download: null,
  });

  return { ofPushes, ofPush };
}

/** The name and the media type of a file, as its creator sent them. */
export function openFileLabel(keyring: Keyring, id: Buffer, label: Buffer, urlToken: string) {
  const text = openLabel(keyring, label, { id, field: 'file', secret: urlToken });
  const end = text.indexOf('\n');
  return { contentType: text.slice(0, end), filename: text.slice(end + 1) };
}
