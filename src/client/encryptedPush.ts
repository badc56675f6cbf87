import {
  DecryptionError,
  fileSize,
  openFile,
  openSecret,
  type Secret,
  sealFile,
  sealSecret,
} from './encryption.js';
import { findKey } from './findKey.js';
import { createKey } from './linkKey.js';
import { toStream } from './upload.ts';
import type { FileInput, PushParams, RetrievedPush } from './wire.ts';

/**
 * Encrypts a push before it is created, under a new key. The server never gets the key: append `#` and the key to the link
 * of the created push. A server that does not return `encrypted: true` does not know what it got.
 */
export async function encryptPush(params: PushParams): Promise<{ push: PushParams; key: string }> {
  const { payload = '', kind = 'text', files = [], ...options } = { kind: undefined, ...params };
  const key = createKey();
  const secret: Secret = {
    kind: files.length === 0 ? kind : 'file',
    text: payload,
    files: files.map((file) => ({ name: file.filename, type: typeOf(file) })),
  };
  const push = {
    ...options,
    encrypted: true,
    kind: files.length === 0 ? ('text' as const) : ('file' as const),
    payload: await sealSecret(key, secret),
    ...(files.length > 0 && {
      files: await Promise.all(files.map((file, index) => encryptFile(key, index + 1, file))),
    }),
  };
  return { push, key };
}

const typeOf = ({ content, content_type }: FileInput) =>
  content_type ?? (content instanceof Blob ? content.type : '');

/** Not every runtime can send streams, so a Blob becomes a Blob. */
async function encryptFile(key: string, number: number, { content }: FileInput): Promise<FileInput> {
  const isBlob = content instanceof Blob;
  const sealed = toStream(sealFile(key, number, isBlob ? content.stream() : content));
  return {
    filename: `encrypted-${number}`,
    content: isBlob ? await new Response(sealed).blob() : sealed,
  };
}

/** There is a key, but nothing that is encrypted: the server, or an impostor, sent something else. */
export class NotEncryptedError extends DecryptionError {
  override readonly name = 'NotEncryptedError';
  override readonly message =
    'The link has the key of an encrypted secret, but what the server sent is not encrypted.';
}

/**
 * Decrypts a retrieved push by its whole link, or by its key. Files get their names, types and sizes; `decryptFile` decrypts
 * what their addresses serve. Throws a NotEncryptedError for anything that is not encrypted, also for an expired push; else a
 * DecryptionError if it does not open, and a TypeError without a whole key. Only the payload, the kind, and the files are
 * authentic: all else is what the server says.
 */
export async function decryptPush(push: RetrievedPush, linkOrKey: string): Promise<RetrievedPush> {
  const key = requireKey(linkOrKey);
  if (push.encrypted !== true || typeof push.payload !== 'string') throw new NotEncryptedError(undefined);
  const { kind, text, files } = await openSecret(key, push.payload);
  if (files.length !== push.files.length) throw new DecryptionError('other files');
  if (push.files.some(({ size }) => !(fileSize(key, size) >= 0))) throw new NotEncryptedError(undefined);
  return {
    ...push,
    kind,
    payload: text,
    files: push.files.map((file, index) => ({
      ...file,
      filename: files[index]?.name ?? '',
      content_type: files[index]?.type ?? '',
      size: fileSize(key, file.size),
    })),
  };
}

/** Decrypts the content of a file; the first one of a push has the number 1. The stream fails with a DecryptionError. */
export function decryptFile(
  linkOrKey: string,
  number: number,
  content: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  return toStream(openFile(requireKey(linkOrKey), number, content));
}

function requireKey(linkOrKey: string): string {
  const key = findKey(linkOrKey);
  if (key === undefined)
    throw new TypeError('There is no whole key in it: the key is what follows # in the link.');
  return key;
}
