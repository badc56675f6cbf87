import { openLabel } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { type Database, inList, type Tx } from '../../database/database.ts';

/** A file of a push. `download` is `GRANT/NUMBER` for its viewer, and null for everybody else. */
export type PushFile = { filename: string; contentType: string; size: number; download: string | null };

type FileRow = { id: Buffer; pushId: Buffer; label: Buffer; size: number };
type OpenedPush = { id: Buffer; urlToken: string };

export type FileList = ReturnType<typeof createFileList>;

/** Lists the files of pushes, in upload order. */
export function createFileList(database: Database, keyring: Keyring) {
  /** Lists the files of many pushes in one statement, by the push's id in hexadecimal. */
  async function ofPushes(pushes: OpenedPush[], tx?: Tx): Promise<Map<string, PushFile[]>> {
    if (pushes.length === 0) return new Map();
    const { names, binds } = inList(pushes.map(({ id }) => id));
    const found = await (tx ?? database).select<FileRow>(
      `SELECT id, push_id AS pushId, label, size FROM files
       WHERE push_id IN (${names}) AND label IS NOT NULL ORDER BY id`,
      binds,
    );
    const filesOf = ({ id, urlToken }: OpenedPush) =>
      found.filter(({ pushId }) => pushId.equals(id)).map((row) => toFile(row, urlToken));
    return new Map(pushes.map((push) => [push.id.toString('hex'), filesOf(push)]));
  }

  async function ofPush(push: OpenedPush, tx: Tx): Promise<PushFile[]> {
    return (await ofPushes([push], tx)).get(push.id.toString('hex')) ?? [];
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
