import { seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';
import { newUrlToken } from '../../crypto/tokens.ts';
import { type Database, inList, type Tx } from '../../database/database.ts';
import { unavailable } from '../../errors.ts';
import { minuteMs } from '../../time.ts';
import type { Caller } from '../caller.ts';
import type { AdmitCreation } from '../pushes/admission.ts';
import type { FileSettings } from '../settings.ts';
import type { PushFile } from './fileList.ts';
import {
  createMeter,
  type IncomingFile,
  invalidFiles,
  mediaTypeOf,
  requireFileAccess,
  requireFilename,
} from './fileRules.ts';
import { fileKey, sealFrames } from './frames.ts';
import { newObjectName } from './objects.ts';
import type { Shredding } from './shred.ts';
import type { FileStore } from './store.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  store: FileStore;
  shredding: Shredding;
  admitCreation: AdmitCreation;
  settings: FileSettings;
};

/** A file that is in the store, and in the database without a label. */
type StoredFile = PushFile & { id: Buffer; object: string };

/** A push that is not created yet, but has files already. */
type PendingPush = { id: Buffer; urlToken: string; filesKey: Buffer; files: StoredFile[] };

/** How long a file waits for its push, beyond the time that an upload may take. */
const attachMarginMs = 15 * minuteMs;

export type BeginUpload = ReturnType<typeof createUploads>;
export type Upload = ReturnType<BeginUpload>;
/** Takes one file in while it arrives. */
export type TakeFile = Upload['take'];

/**
 * Takes in the files of pushes that are yet to be created. Each file has a row before its first byte is stored, so that
 * whatever a crash leaves behind is known, and is shredded when its time is over.
 */
export function createUploads(dependencies: Dependencies) {
  const { database, keyring, store, shredding, admitCreation, settings } = dependencies;
  const { execute, withRetries, dialect } = database;
  const pendingMs = settings.uploadMs + attachMarginMs;

  /**
   * Begins the files of one push; `pushes.create` completes it. Admits the caller when the first file comes. Disposing
   * of it discards what no push took.
   */
  return function beginUpload(caller: Caller) {
    const metered = createMeter(settings);
    let pending: PendingPush | undefined;
    let isAttached = false;
    let turn: Promise<void> = Promise.resolve();

    /**
     * Stores a file while it arrives; of several at once, one after the other. Refuses one that breaks a rule as soon as
     * it does, and rejects with what its stream fails of; then no more are taken, and the upload is to be discarded.
     */
    function take(file: IncomingFile): Promise<void> {
      turn = turn.then(() => takeNext(file));
      turn.catch(() => {}); // `finish` rejects with it, too
      return turn;
    }

    async function takeNext({ filename, contentType, stream }: IncomingFile): Promise<void> {
      if (pending === undefined) {
        requireFileAccess(caller.account, settings);
        await admitCreation(caller);
      }
      if (pending?.files.length === settings.countMax)
        throw invalidFiles({ code: 'maxCount', max: settings.countMax });
      requireFilename(filename);
      pending ??= { id: newId(), urlToken: newUrlToken(), filesKey: randomBytes(32), files: [] };
      const id = newId();
      const object = newObjectName(keyring);
      const file = { id, object, filename, contentType: mediaTypeOf(contentType), size: 0, download: null };
      pending.files.push(file);
      await insertRow(file);
      const bytes = metered(stream, (size) => {
        file.size = size;
      });
      await put(store, object, bytes, fileKey(pending.filesKey, id));
    }

    const insertRow = ({ id, object }: StoredFile) =>
      withRetries(() =>
        execute(
          `INSERT INTO files (id, object, shred_at) VALUES ($id, $object, ${dialect.now} + $pendingMs)`,
          { id, object, pendingMs },
        ),
      );

    /** What was taken, once all of it is; undefined where there are no files. Rejects when one of them failed. */
    async function finish(): Promise<PendingPush | undefined> {
      await turn;
      return pending;
    }

    /** Gives the files to their push, in the transaction that creates it; they are shredded when it ends. */
    async function attach(endsAt: number, tx: Tx): Promise<void> {
      if (pending === undefined) return;
      const { id: pushId, urlToken, files } = pending;
      for (const { id, size, filename, contentType } of files) {
        const label = seal(keyring, `${contentType}\n${filename}`, { id, field: 'file', secret: urlToken });
        const attached = await tx.execute(
          `UPDATE files SET push_id = $pushId, label = $label, size = $size, shred_at = $endsAt
           WHERE id = $id AND label IS NULL AND shred_at > ${dialect.now}`,
          { id, pushId, label, size, endsAt },
        );
        if (attached !== 1) throw unavailable('uploadTooSlow');
      }
      tx.afterCommit(() => {
        isAttached = true;
      });
    }

    /**
     * Removes what was stored, unless a push has it: the database may have created that without confirming it. Never
     * rejects, since what cannot be removed now is shredded later.
     */
    async function discard(): Promise<void> {
      await turn.catch(() => {});
      if (pending === undefined || isAttached) return;
      const { names, binds } = inList(pending.files.map(({ id }) => id));
      try {
        await execute(`UPDATE files SET shred_at = 0 WHERE id IN (${names}) AND label IS NULL`, binds);
        await shredding.shred(pending.files.map(({ id }) => id));
      } catch {}
    }

    return { take, finish, attach, discard, [Symbol.asyncDispose]: discard };
  };
}

/** Seals bytes into the store. What their giver fails of is no failure of the store, so it is given on as it is. */
async function put(store: FileStore, object: string, bytes: AsyncIterable<Uint8Array>, key: Buffer) {
  let failure: { cause: unknown } | undefined;
  async function* catchingFailure() {
    try {
      yield* bytes;
    } catch (error) {
      failure = { cause: error };
      throw error;
    }
  }
  await store.put(object, sealFrames(key, catchingFailure())).catch((error) => {
    throw failure === undefined ? error : failure.cause;
  });
}
