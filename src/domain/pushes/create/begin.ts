import { createHash } from 'node:crypto';
import type { Database, Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import type { IncomingFile } from '../../files/index.ts';
import type { Account, Caller } from '../../people/index.ts';
import type { PushDependencies } from '../dependencies.ts';
import type { Push } from '../push.ts';
import type { CreatePush, CreatePushOptions } from './create.ts';
import type { Idempotency } from './idempotency.ts';

/** Creates pushes: begin, add the files while they are received, create. */
export function createCreations({
  limits,
  settings,
  beginUpload,
  createPush,
  idempotency,
}: PushDependencies & { createPush: CreatePush; idempotency: Idempotency }) {
  /**
   * Counts the creation of a push. Call it before the body is read, so that nobody over a limit has a body parsed. With an
   * idempotency key, the same request creates one push within a day, and gets it again as it was created. Disposing of the
   * creation discards files that no push has.
   */
  async function begin(caller: Caller, { idempotencyKey }: { idempotencyKey?: string | undefined } = {}) {
    await admitCreation(caller);
    return beginAdmitted(caller, { idempotencyKey });
  }

  /** The same for a caller who was admitted by other limits. */
  function beginAdmitted(
    caller: Caller,
    { idempotencyKey, bytesMax }: { idempotencyKey?: string | undefined; bytesMax?: number | undefined } = {},
  ) {
    const upload = beginUpload(caller, bytesMax);
    const digest = idempotencyKey === undefined ? undefined : createRequestDigest();

    /**
     * Stores a file while it is being received; several files are stored one after the other. Throws as soon as the file
     * breaks a rule, and rethrows errors of its stream. After an error no more files are stored, and nothing is created.
     */
    const addFile = (file: IncomingFile): Promise<void> => upload.add(digest?.withFile(file) ?? file);

    /**
     * Creates the push with its files, and returns it with its url token, which only the owner can read from the database
     * later. Of a repeated request, throws `conflict` while the earlier one is in progress, and `invalid` if it was another.
     */
    async function create(input: unknown, options: CreatePushOptions = {}): Promise<Push> {
      const uploaded = await upload.finish();
      if (digest === undefined || idempotencyKey === undefined)
        return createPush(input, { caller, uploaded }, options);
      const request = { key: idempotencyKey, caller, digest: digest.ofInput(input) };
      return idempotency.once(request, (beforeCommit) =>
        createPush(input, { caller, uploaded, beforeCommit }, options),
      );
    }

    return { addFile, create, [Symbol.asyncDispose]: upload.discard };
  }

  /** Creates a push without files. */
  async function create(input: unknown, caller: Caller, options?: CreatePushOptions): Promise<Push> {
    return (await begin(caller)).create(input, options);
  }

  /** Refuses callers who may not create pushes, or who have created too many. */
  async function admitCreation({ account, client }: Caller): Promise<void> {
    if (account === null && !settings.allowAnonymous)
      throw new DomainError('unauthenticated', 'tokenRequiredToCreate');
    await (account === null
      ? limits.consume('anonymousCreate', { client })
      : limits.consume('accountCreate', { account: account.id }));
  }

  return { begin, beginAdmitted, create };
}

/** A digest of one request: of its files, names, types and bytes, and of its input. Tells whether a later one is the same. */
export function createRequestDigest() {
  const files = createHash('sha256'); // one for all files, which are stored one after the other

  /** A file that is added to the digest while it is read. */
  const withFile = ({ stream, ...label }: IncomingFile): IncomingFile => ({
    ...label,
    stream: hashed(stream, label),
  });

  async function* hashed(stream: AsyncIterable<Uint8Array>, label: object) {
    let size = 0;
    files.update(JSON.stringify(label));
    for await (const chunk of stream) {
      files.update(chunk);
      size += chunk.length;
      yield chunk;
    }
    files.update(`\0${size}\0`); // tells where the file ends
  }

  /** Call it once all files are read. */
  const ofInput = (input: unknown): string =>
    createHash('sha256').update(files.copy().digest()).update(JSON.stringify(input)).digest('base64');

  return { withFile, ofInput };
}

/** Undoes the creation of pushes. */
export function createWithdrawal({ transaction }: Database) {
  /**
   * Removes a push whose creator never received the response. Nothing remains, and no notice is sent. `inTransaction`
   * undoes related work in the same transaction.
   */
  return async function withdraw(
    { id: accountId }: Account,
    pushId: string,
    inTransaction: (tx: Tx) => Promise<void> = async () => {},
  ): Promise<void> {
    const id = Buffer.from(pushId, 'hex');
    await transaction(async (tx) => {
      const deleted = await tx.execute('DELETE FROM pushes WHERE id = $id AND account_id = $accountId', {
        id,
        accountId,
      });
      if (deleted === 1) await inTransaction(tx);
    });
  };
}
