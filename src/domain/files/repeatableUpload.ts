import { createHash, type Hash } from 'node:crypto';
import type { Caller } from '../caller.ts';
import type { AddFile, BeginUpload, Upload } from './uploads.ts';

/** An upload whose request has an idempotency key, or not. `digest` is of all files so far: names, types and bytes. */
export type RepeatableUpload = Upload & { idempotency?: { key: string; digest: () => Buffer } };

/** Begins uploads like `beginUpload`. With an idempotency key, it also tells whether a later request brings the same files. */
export function createRepeatableUploads(beginUpload: BeginUpload) {
  return async (caller: Caller, key?: string): Promise<RepeatableUpload> => {
    const upload = await beginUpload(caller);
    if (key === undefined) return upload;
    const hash = createHash('sha256'); // one for all files, which are stored one after the other
    const add: AddFile = ({ stream, ...label }) =>
      upload.add({ ...label, stream: hashed(stream, label, hash) });
    return { ...upload, add, idempotency: { key, digest: () => hash.copy().digest() } };
  };
}

async function* hashed(stream: AsyncIterable<Uint8Array>, label: object, hash: Hash) {
  let size = 0;
  hash.update(JSON.stringify(label));
  for await (const chunk of stream) {
    hash.update(chunk);
    size += chunk.length;
    yield chunk;
  }
  hash.update(`\0${size}\0`); // tells where the file ends
}
