import type { Transaction } from 'sequelize';
import { seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';
import { newUrlToken } from '../../crypto/tokens.ts';
import { type Database, listOf } from '../../database/database.ts';
import { unavailable } from '../../errors.ts';
import type { FileSettings } from '../settings.ts';
import type { PushFile } from './fileList.ts';
import { createMeter, type IncomingFile, mediaTypeOf, refusal, requireFilename } from './fileRules.ts';
import { fileKey, sealFrames } from './frames.ts';
import { newObject } from './objects.ts';
import type { Shredding } from './shred.ts';
import type { FileStore } from './store.ts';

type Parts = {
  database: Database;
  keyring: Keyring;
  store: FileStore;
  shredding: Shredding;
  settings: FileSettings;
};

/** A file that is in the store, and in the database without a label. */
type Stored = PushFile & { id: Buffer; object: string };

/** A push that is not made yet, but has files already. */
type Begun = { id: Buffer; urlToken: string; filesKey: Buffer; files: Stored[] };

/** How long a file waits for its push, beyond the time that an upload may take. */
const marginMs = 15 * 60_000;

export type Uploads = ReturnType<typeof createUploads>;
export type Upload = ReturnType<Uploads>;

/**
 * Takes in the files of pushes that are yet to be made. Each file has a row before its first byte is stored, so that
 * whatever a crash leaves behind is known, and is shredded when its time is over.
 */
export function createUploads({ database, keyring, store, shredding, settings }: Parts) {
  const { change, retrying, dialect } = database;
  const pendingMs = settings.uploadMs + marginMs;

  /** Begins the files of one push. `admit` is asked before the first of them is taken. */
  return function begin(admit: () => Promise<void>) {
    const metered = createMeter(settings);
    let begun: Begun | undefined;
    let turn: Promise<void> = Promise.resolve();

    /**
     * Stores a file while it arrives; of several at once, one after the other. Refuses one that breaks a rule as soon as
     * it does, and rejects with what its stream fails of; then no more are taken, and the upload is to be discarded.
     */
    function take(file: IncomingFile): Promise<void> {
      turn = turn.then(() => takeNext(file));
      turn.catch(() => {}); // whoever does not wait here learns of it from `finish`
      return turn;
    }

    async function takeNext({ filename, contentType, stream }: IncomingFile): Promise<void> {
      if (begun === undefined) await admit();
      if (begun?.files.length === settings.countMax) throw refusal(`must be at most ${settings.countMax}`);
      requireFilename(filename);
      begun ??= { id: newId(), urlToken: newUrlToken(), filesKey: randomBytes(32), files: [] };
      const id = newId();
      const object = newObject(keyring);
      const file = { id, object, filename, contentType: mediaTypeOf(contentType), size: 0, download: null };
      begun.files.push(file);
      await announce(begun.id, file);
      const bytes = metered(stream, (size) => {
        file.size = size;
      });
      await put(store, object, bytes, fileKey(begun.filesKey, id));
    }

    const announce = (pushId: Buffer, { id, object }: Stored) =>
      retrying(() =>
        change(
          `INSERT INTO files (id, push_id, object, shred_at) VALUES ($id, $pushId, $object, ${dialect.now} + $pendingMs)`,
          { id, pushId, object, pendingMs },
        ),
      );

    /** What was taken, once all of it is; undefined where there are no files. Rejects when one of them failed. */
    async function finish(): Promise<Begun | undefined> {
      await turn;
      return begun;
    }

    /** Gives the files to their push, in the transaction that makes it; they are shredded when it ends. */
    async function attach({ urlToken, files }: Begun, endsAt: number, transaction: Transaction) {
      for (const { id, size, filename, contentType } of files) {
        const label = seal(keyring, `${contentType}\n${filename}`, { id, field: 'file', secret: urlToken });
        const attached = await change(
          `UPDATE files SET label = $label, size = $size, shred_at = $endsAt
           WHERE id = $id AND label IS NULL AND shred_at > ${dialect.now}`,
          { id, label, size, endsAt },
          { transaction },
        );
        if (attached !== 1) throw unavailable('The upload took too long. Try again.');
      }
    }

    /**
     * Removes what was stored, unless a push has it: the database may have made that without saying so. Never rejects,
     * since what cannot be removed now is shredded later.
     */
    async function discard(): Promise<void> {
      await turn.catch(() => {});
      if (begun === undefined) return;
      const { names, binds } = listOf(begun.files.map(({ id }) => id));
      try {
        await change(`UPDATE files SET shred_at = 0 WHERE id IN (${names}) AND label IS NULL`, binds);
        await shredding.shred(begun.files.map(({ id }) => id));
      } catch {}
    }

    return { take, finish, attach, discard };
  };
}

/** Seals bytes into the store. What their giver fails of is no failure of the store, so it is given on as it is. */
async function put(store: FileStore, object: string, bytes: AsyncIterable<Uint8Array>, key: Buffer) {
  let failure: { of: unknown } | undefined;
  async function* watched() {
    try {
      yield* bytes;
    } catch (error) {
      failure = { of: error };
      throw error;
    }
  }
  await store.put(object, sealFrames(key, watched())).catch((error) => {
    throw failure === undefined ? error : failure.of;
  });
}
