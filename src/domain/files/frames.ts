import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/*
 * A sealed file: frames of 64 KiB, the last one shorter or even empty, each AES-256-GCM with its tag behind it. The nonce of a
 * frame is its number, in 11 bytes, and a byte that is 1 for the last frame alone; so a frame opens nowhere but in its
 * place, and a file that was cut ends in a frame that is not the last. The key belongs to one file, so no nonce is used twice.
 * (The construction STREAM, as age has it: Hoang, Reyhanitabar, Rogaway and Vizár, 2015, https://eprint.iacr.org/2015/189)
 */
const frameBytes = 64 * 1024;
const tagBytes = 16;
const sealedFrameBytes = frameBytes + tagBytes;

/** Thrown when stored bytes are not those that were sealed: changed, cut, swapped, or of another file. */
export class DamagedFileError extends Error {
  constructor() {
    super('a stored file is not as it was sealed');
  }
}

/** Which bytes of a file are wanted: from `start` up to and without `end`. */
export type Span = { start: number; end: number };

/** The key of one file of a push. */
export function fileKey(filesKey: Buffer, id: Buffer): Buffer {
  return createHmac('sha256', filesKey).update('file\0').update(id).digest();
}

/** How many bytes a file of so many bytes has once it is sealed. */
export function sealedBytes(size: number): number {
  return size + framesIn(size) * tagBytes;
}

/** Where in the sealed file the frames are that hold a span of a file of `size` bytes. */
export function sealedSpan(size: number, span: Span): Span {
  const { first, behind } = framesOver(span);
  return { start: first * sealedFrameBytes, end: Math.min(behind * sealedFrameBytes, sealedBytes(size)) };
}

/** Seals what comes, frame by frame, and never holds more than one. */
export async function* sealFrames(key: Buffer, plaintext: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const frame = Buffer.allocUnsafe(frameBytes);
  let filled = 0;
  let number = 0;
  for await (const chunk of plaintext) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === frameBytes) {
        yield sealFrame(key, nonceOf(number, false), frame);
        number += 1;
        filled = 0;
      }
      const piece = chunk.subarray(at, at + frameBytes - filled);
      frame.set(piece, filled);
      filled += piece.length;
      at += piece.length;
    }
  }
  yield sealFrame(key, nonceOf(number, true), frame.subarray(0, filled));
}

/**
 * Opens a span of a file of `size` bytes out of the bytes at its sealed span. Gives a frame's plaintext only once its tag
 * was checked. Throws DamagedFile.
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
  for await (const frame of splitFrames(sealed)) {
    const from = number * frameBytes;
    const isWhole = frame.length === Math.min(frameBytes, size - from) + tagBytes;
    if (number === behind || !isWhole) throw new DamagedFileError();
    const plaintext = openFrame(key, nonceOf(number, number === last), frame);
    yield plaintext.subarray(Math.max(0, span.start - from), span.end - from);
    number += 1;
  }
  if (number < behind) throw new DamagedFileError();
}

/** The frames that hold a span; one for an empty span, too. */
function framesOver({ start, end }: Span): { first: number; behind: number } {
  const first = Math.floor(start / frameBytes);
  return { first, behind: Math.max(first + 1, Math.ceil(end / frameBytes)) };
}

function framesIn(size: number): number {
  return Math.max(1, Math.ceil(size / frameBytes));
}

/** Cuts what comes into sealed frames. The buffer that it gives is used again for the next one. */
async function* splitFrames(sealed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const frame = Buffer.allocUnsafe(sealedFrameBytes);
  let filled = 0;
  for await (const chunk of sealed) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(frame, filled, at);
      filled += copied;
      at += copied;
      if (filled < sealedFrameBytes) continue;
      yield frame;
      filled = 0;
    }
  }
  if (filled > 0) yield frame.subarray(0, filled);
}

function sealFrame(key: Buffer, nonce: Buffer, plaintext: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  const body = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([body, cipher.getAuthTag()]);
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
