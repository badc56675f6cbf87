import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/**
 * Collects bytes into parts of equal size, except the last. Two buffers alternate, so a part stays valid until the
 * next but one: it can be written or sent while the next is collected.
 */
export async function* inParts(bytes: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let part: Buffer = Buffer.allocUnsafe(partBytes);
  let next: Buffer | undefined;
  let filled = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(part, filled, at);
      filled += copied;
      at += copied;
      if (filled < partBytes) continue;
      yield part;
      [part, next] = [next ?? Buffer.allocUnsafe(partBytes), part];
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

/*
 * An encrypted file is a sequence of 256 KiB frames; the last one is shorter or even empty. Each frame is AES-256-GCM,
 * followed by its tag. The nonce is the frame's number in 11 bytes, and a byte that is 1 only for the last frame. So
 * a frame opens only in its own position, and a truncated file ends in a frame that is not marked as last. Each file
 * has its own key, so no nonce is used twice.
 * (The STREAM construction, as in age: Hoang, Reyhanitabar, Rogaway and Vizár, 2015,
 * https://eprint.iacr.org/2015/189)
 */
const frameBytes = 256 * 1024;
const tagBytes = 16;
const sealedFrameBytes = frameBytes + tagBytes;

/** Thrown when stored bytes differ from what was encrypted: changed, truncated, swapped, or of another file. */
export class DamagedFileError extends Error {
  constructor() {
    super('a stored file is damaged');
  }
}

/** A range of bytes of a file, from `start` up to but excluding `end`. */
export type Span = { start: number; end: number };

/** The key of one file of a push. */
export function fileKey(filesKey: Buffer, id: Buffer): Buffer {
  return createHmac('sha256', filesKey).update('file\0').update(id).digest();
}

/** The encrypted size of a file of this size. */
export function sealedBytes(size: number): number {
  return size + framesIn(size) * tagBytes;
}

/** The range of the encrypted file whose frames contain a span of a file of `size` bytes. */
export function sealedSpan(size: number, span: Span): Span {
  const { first, behind } = framesOver(span);
  return { start: first * sealedFrameBytes, end: Math.min(behind * sealedFrameBytes, sealedBytes(size)) };
}

/** Encrypts frame by frame, holding at most one frame in memory. */
export async function* sealFrames(key: Buffer, plaintext: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const frame = Buffer.allocUnsafe(frameBytes);
  let filled = 0;
  let number = 0;
  for await (const chunk of plaintext) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === frameBytes) {
        yield* sealFrame(key, nonceOf(number, false), frame);
        number += 1;
        filled = 0;
      }
      const part = chunk.subarray(at, at + frameBytes - filled);
      frame.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  yield* sealFrame(key, nonceOf(number, true), frame.subarray(0, filled));
}

/**
 * Decrypts a span of a file of `size` bytes from the bytes of its encrypted span. Yields a frame's plaintext only
 * after checking its tag. Throws DamagedFileError.
 */
export async function* openFrames(
  key: Buffer,
  sealed: AsyncIterable<Buffer>,
  size: number,
  span: Span,
): AsyncGenerator<Buffer> {
  const { first, behind } = framesOver(span);
  const last = framesIn(size) - 1;
  let number = first;
  for await (const frame of inParts(sealed, sealedFrameBytes)) {
    const from = number * frameBytes;
    const isWhole = frame.length === Math.min(frameBytes, size - from) + tagBytes;
    if (number === behind || !isWhole) throw new DamagedFileError();
    const plaintext = openFrame(key, nonceOf(number, number === last), frame);
    yield plaintext.subarray(Math.max(0, span.start - from), span.end - from);
    number += 1;
  }
  if (number < behind) throw new DamagedFileError();
}

/** The frames that contain a span. An empty span has one, too. */
function framesOver({ start, end }: Span): { first: number; behind: number } {
  const first = Math.floor(start / frameBytes);
  return { first, behind: Math.max(first + 1, Math.ceil(end / frameBytes)) };
}

function framesIn(size: number): number {
  return Math.max(1, Math.ceil(size / frameBytes));
}

/** The ciphertext and its tag: joining them would copy both. */
function sealFrame(key: Buffer, nonce: Buffer, plaintext: Buffer): [Buffer, Buffer] {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  const body = cipher.update(plaintext);
  cipher.final();
  return [body, cipher.getAuthTag()];
}

function openFrame(key: Buffer, nonce: Buffer, frame: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(frame.subarray(-tagBytes));
  const plaintext = decipher.update(frame.subarray(0, -tagBytes));
  try {
    decipher.final();
  } catch {
    throw new DamagedFileError();
  }
  return plaintext;
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}
