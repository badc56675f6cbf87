import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { commandOptions } from './s3Options.ts';

/** S3 accepts at most 10,000 parts, each of at least 5 MiB except the last. */
const partBytes = 8 * 1024 * 1024;

/** For a request with a part, and its response. */
const partOptions = { requestTimeout: 30_000 };

type S3Object = { Bucket: string; Key: string };
type Part = { ETag: string | undefined; PartNumber: number };

/**
 * Uploads an object: in one request if it fits into one part, otherwise in parts. Holds two parts in memory. Calls
 * `cleanUp` after a failed upload.
 */
export async function uploadObject(
  client: S3Client,
  object: S3Object,
  bytes: AsyncIterable<Buffer>,
  cleanUp: () => Promise<void>,
): Promise<void> {
  const parts = inParts(bytes);
  const [first = Buffer.alloc(0), second] = [await nextPart(parts), await nextPart(parts)];
  try {
    if (second === undefined)
      await client.send(new PutObjectCommand({ ...object, Body: first }), partOptions);
    else await uploadParts(client, object, { firstParts: [first, second], rest: parts });
  } catch (error) {
    await parts.return(undefined);
    await cleanUp().catch(() => {}); // The object may be stored although the response was lost.
    throw error;
  }
}

async function uploadParts(
  client: S3Client,
  object: S3Object,
  { firstParts, rest }: { firstParts: Buffer[]; rest: AsyncIterable<Buffer> },
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object), commandOptions);
  const upload = { ...object, UploadId };
  const sent: Promise<Part>[] = [];
  /** Waits for the previous part: one part is sent while the next is collected. */
  async function send(Body: Buffer): Promise<void> {
    await sent.at(-1);
    const PartNumber = sent.length + 1;
    const part = client
      .send(new UploadPartCommand({ ...upload, PartNumber, Body }), partOptions)
      .then(({ ETag }) => ({ ETag, PartNumber }));
    part.catch(() => {}); // rethrown to the next caller that waits for it
    sent.push(part);
  }
  try {
    for (const part of firstParts) await send(part);
    for await (const part of rest) await send(part);
    const MultipartUpload = { Parts: await Promise.all(sent) };
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), partOptions);
  } catch (error) {
    await Promise.allSettled(sent); // A part that arrives after its upload was aborted would remain.
    await client.send(new AbortMultipartUploadCommand(upload), commandOptions).catch(() => {});
    throw error;
  }
}

/**
 * Collects bytes into parts of equal size, except the last. Two buffers alternate, so a part stays valid until the
 * next but one.
 */
async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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

async function nextPart(parts: AsyncGenerator<Buffer>): Promise<Buffer | undefined> {
  const { done, value } = await parts.next();
  return done ? undefined : value;
}
