import { seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { randomBytes } from '../../crypto/random.ts';
import { newUrlToken } from '../../crypto/tokens.ts';
import { type Database, inList, type Tx } from '../../database/database.ts';
import { unavailable } from '../../errors.ts';
import { minuteMs } from '../../time.ts';
import type { FileSettings } from '../base/index.ts';
import type { Caller } from '../people/index.ts';
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
  settings: FileSettings;
};

/** A file in the store. Its row has no label yet. */
type StoredFile = PushFile & { id: Buffer; object: string };

/** A push that does not exist yet, but already has files. */
type PendingPush = { id: Buffer; urlToken: string; filesKey: Buffer; files: StoredFile[] };

/** How long a file waits for its push after the time limit of an upload. */
const attachMarginMs = 15 * minuteMs;

export type BeginUpload = ReturnType<typeof createUploads>;
/** The files of a push that does not exist yet, and what assigns them to it. */
export type Uploaded = NonNullable<Awaited<ReturnType<ReturnType<BeginUpload>['finish']>>>;

/**
 * Stores the files of pushes before they are created. Each file has a row before its first byte is stored, so a crash
 * leaves nothing unknown behind: the file is shredded when its time is over.
 */
export function createUploads(dependencies: Dependencies) {
  const { database, keyring, store, shredding, settings } = dependencies;
  const { execute, dialect } = database;
  const pendingMs = settings.uploadMs + attachMarginMs;

  /** Starts the upload of the files of a push, before it is created. `bytesMax` is for all of them together. */
  return function beginUpload(caller: Pick<Caller, 'account'>, bytesMax = settings.totalBytesMax) {
    const metered = createMeter({ ...settings, totalBytesMax: Math.min(bytesMax, settings.totalBytesMax) });
    let pending: PendingPush | undefined;
    let isAttached = false;
    let turn: Promise<void> = Promise.resolve();

    /**
     * Stores a file while it is being received; several files are stored one after the other. Throws as soon as the
     * file breaks a rule, and rethrows errors of its stream. After an error no more files are stored, and the caller
     * discards the upload.
     */
    function add(file: IncomingFile): Promise<void> {
      turn = turn.then(() => addNext(file));
      turn.catch(() => {}); // `finish` rejects with it too
      return turn;
    }

    async function addNext({ filename, contentType, stream }: IncomingFile): Promise<void> {
      if (pending === undefined) requireFileAccess(caller.account, settings);
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
      await putEncrypted(store, object, bytes, fileKey(pending.filesKey, id));
    }

    const insertRow = ({ id, object }: StoredFile) =>
      execute(`INSERT INTO files (id, object, shred_at) VALUES ($id, $object, ${dialect.now} + $pendingMs)`, {
        id,
        object,
        pendingMs,
      });

    /** Resolves once all files are stored; undefined without files. Rejects if one of them failed. */
    async function finish() {
      await turn;
      return pending && { ...pending, attach };
    }

    /** Assigns the files to their push, in the transaction that creates it. They are shredded when the push ends. */
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
     * Removes stored files unless a push has them: the database may have committed without confirming it. Never
     * rejects; files that cannot be removed now are shredded later.
     */
    async function discard(): Promise<void> {
      await turn.catch(() => {});
      if (pending === undefined || isAttached) return;
      const { names, binds } = inList(pending.files.map(({ id }) => id));
      try {
        await execute(
          `UPDATE files SET shred_at = ${dialect.now} WHERE id IN (${names}) AND label IS NULL`,
          binds,
        );
        await shredding.shred(pending.files.map(({ id }) => id));
      } catch {}
    }

    return { add, finish, discard };
  };
}

/** Encrypts bytes into the store. Errors of their source are rethrown unchanged, since the store did not fail. */
async function putEncrypted(store: FileStore, object: string, bytes: AsyncIterable<Uint8Array>, key: Buffer) {
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
