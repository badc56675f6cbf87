import { sealFrames } from './frames.ts';
import type { FileStore } from './store.ts';

/** Encrypts bytes into the store. Errors of their source are rethrown unchanged, since the store did not fail. */
export async function putEncrypted(
  store: FileStore,
  object: string,
  bytes: AsyncIterable<Uint8Array>,
  key: Buffer,
) {
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
