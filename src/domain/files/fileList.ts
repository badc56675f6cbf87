import type { Transaction } from 'sequelize';
import { openLabel } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { type Database, listOf } from '../../database/database.ts';

/** A file of a push. `download` is what its viewer gets it by, as `GRANT/NUMBER`, and null for everybody else. */
export type PushFile = { filename: string; contentType: string; size: number; download: string | null };

type FileRow = { id: Buffer; pushId: Buffer; label: Buffer; size: number };
type Opened = { id: Buffer; urlToken: string };

export type Attached = ReturnType<typeof createAttached>;

/** What is known of the files of pushes, in the order in which they came. */
export function createAttached({ rows }: Database, keyring: Keyring) {
  /** Those of many pushes in one statement, under the push's id in hexadecimal. */
  async function ofPushes(pushes: Opened[], transaction?: Transaction): Promise<Map<string, PushFile[]>> {
    if (pushes.length === 0) return new Map();
    const { names, binds } = listOf(pushes.map(({ id }) => id));
    const found = await rows<FileRow>(
      `SELECT id, push_id AS pushId, label, size FROM files
       WHERE push_id IN (${names}) AND label IS NOT NULL ORDER BY id`,
      binds,
      transaction && { transaction },
    );
    const filesOf = ({ id, urlToken }: Opened) =>
      found.filter(({ pushId }) => pushId.equals(id)).map((row) => described(row, urlToken));
    return new Map(pushes.map((push) => [push.id.toString('hex'), filesOf(push)]));
  }

  async function ofPush(push: Opened, transaction: Transaction): Promise<PushFile[]> {
    return (await ofPushes([push], transaction)).get(push.id.toString('hex')) ?? [];
  }

  const described = ({ id, label, size }: FileRow, urlToken: string): PushFile => ({
    ...openFileLabel(keyring, id, label, urlToken),
    size: Number(size),
    download: null,
  });

  return { ofPushes, ofPush };
}

/** What a file is called, and what its creator says that it is. */
export function openFileLabel(keyring: Keyring, id: Buffer, label: Buffer, urlToken: string) {
  const text = openLabel(keyring, label, { id, field: 'file', secret: urlToken });
  const end = text.indexOf('\n');
  return { contentType: text.slice(0, end), filename: text.slice(end + 1) };
}
