import { Readable } from 'node:stream';
import { openGrant } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { digestOf } from '../../crypto/tokens.ts';
import type { Database } from '../../database/database.ts';
import { DomainError, unavailable } from '../../errors.ts';
import type { Audit } from '../audit/index.ts';
import type { Limits } from '../limits/index.ts';
import type { ClientInfo } from '../people/index.ts';
import { openFileLabel } from './fileList.ts';
import { DamagedFileError, fileKey, openFrames, type Span, sealedBytes, sealedSpan } from './frames.ts';
import type { FileStore } from './store.ts';

type Dependencies = { database: Database; keyring: Keyring; store: FileStore; audit: Audit; limits: Limits };

export type Downloads = ReturnType<typeof createDownloads>;

type GrantedFile = {
  sealed: Buffer;
  pushId: Buffer;
  id: Buffer;
  object: string;
  label: Buffer;
  size: number;
};

/** A file that may be downloaded now. `id` never changes and is not secret. */
export type Download = {
  id: string;
  filename: string;
  size: number;
  /**
   * The plaintext from `start` up to but excluding `end`. Every frame is authenticated. The first download writes an
   * audit row.
   */
  read(span: Span): Promise<Readable>;
};

const filesKeyBytes = 32;

/** The only way to the bytes of files: by a grant, which only the claim of a view creates. */
export function createDownloads({ database, keyring, store, audit, limits }: Dependencies) {
  const { select, transaction, dialect } = database;

  /**
   * Finds a file by a grant and the file's number in its push, starting at 1. Throws `not_found` once the grant has
   * ended or the push was deleted.
   */
  async function find(grant: string, number: number, client: ClientInfo): Promise<Download> {
    const digest = digestOf(grant);
    const [row] = await select<GrantedFile>(
      `SELECT g.sealed, g.push_id AS pushId, f.id, f.object, f.label, f.size
       FROM download_grants g JOIN files f ON f.push_id = g.push_id AND f.label IS NOT NULL
       WHERE g.id = $digest AND g.expires_at > ${dialect.now} ORDER BY f.id LIMIT 1 OFFSET ${Math.trunc(number) - 1}`,
      { digest },
    );
    if (row === undefined) {
      await limits.countUnknownToken(client);
      throw new DomainError('not_found', 'downloadNotFound');
    }
    const { id, pushId } = row;
    const opened = openGrant(keyring, row.sealed, { id: pushId, secret: grant });
    const key = fileKey(opened.subarray(0, filesKeyBytes), id);
    const { filename } = openFileLabel(keyring, id, row.label, opened.subarray(filesKeyBytes).toString());
    const file = { object: row.object, size: Number(row.size) };

    async function read(span: Span): Promise<Readable> {
      const frames = openFrames(key, await readSealed(file, span), file.size, span);
      const first = await frames.next().catch(refuseDamaged); // before anything is sent
      await record(digest, number, pushId, client).catch(async (error) => {
        await frames.return(undefined);
        throw error;
      });
      return Readable.from(prepend(first, frames), { objectMode: false });
    }

    return { id: id.toString('hex'), filename, size: file.size, read };
  }

  async function readSealed({ object, size }: { object: string; size: number }, span: Span) {
    if ((await store.sizeOf(object)) !== sealedBytes(size)) throw missingFile();
    const bytes = await store.read(object, sealedSpan(size, span));
    if (bytes === null) throw missingFile();
    return bytes;
  }

  /** Several ranges, or repeated downloads, of a file under one grant count as one download. */
  async function record(digest: Buffer, number: number, pushId: Buffer, client: ClientInfo): Promise<void> {
    await transaction(async (tx) => {
      const inserted = await tx.execute(
        dialect.insertIgnore(
          'grant_id, number',
          'INTO downloads (grant_id, number) SELECT id, $number FROM download_grants WHERE id = $digest',
        ),
        { digest, number },
      );
      if (inserted === 1) await audit.recordBounded(pushId, 'download', client, tx);
    });
  }

  /** Throws while files of a push are unavailable, before a view is used on them. */
  async function requireStored(pushId: Buffer): Promise<void> {
    const files = await select<{ object: string; size: number }>(
      'SELECT object, size FROM files WHERE push_id = $pushId AND label IS NOT NULL',
      { pushId },
    );
    const sizes = await Promise.all(files.map(({ object }) => store.sizeOf(object)));
    if (files.some(({ size }, index) => sizes[index] !== sealedBytes(Number(size)))) throw missingFile();
  }

  return { find, requireStored };
}

async function* prepend(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>) {
  if (!first.done) yield first.value;
  yield* rest;
}

function refuseDamaged(error: unknown): never {
  if (!(error instanceof DamagedFileError)) throw error;
  throw unavailable('fileDamaged', error);
}

/** Not the viewer's fault, and nothing was counted. `doctor` reports it to the operator. */
function missingFile(): DomainError {
  return unavailable('fileMissing');
}
